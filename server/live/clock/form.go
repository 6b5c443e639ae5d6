package clock

import "time"

// Form is a time control as forms give it: each part may be missing, and
// durations are seconds.
type Form struct {
	Limit     *int
	Increment *int
	Delay     int // 0: none
	Byoyomi   int // 0: none
	Periods   int // of Byoyomi; 0: one
	Days      int // 0: none; counts only if nothing is said of a clock
}

// The fields of a form.
const (
	fieldLimit     = "clock.limit"
	fieldIncrement = "clock.increment"
	fieldDelay     = "clock.delay"
	fieldByoyomi   = "clock.byoyomi"
	fieldPeriods   = "clock.periods"
)

// Control puts the parts together and validates the result. A limit goes with
// one of increment, delay and byoyomi; an increment of 0 may stand beside the
// others. The error is a *ControlError.
func (f Form) Control() (Control, error) {
	c, err := f.combine()
	if err == nil {
		err = c.Validate()
	}
	return c, err
}

func (f Form) combine() (Control, error) {
	wrong := func(field, text string) (Control, error) { return Control{}, &ControlError{field, text} }
	increment := 0
	if f.Increment != nil {
		increment = *f.Increment
	}
	special := ""
	switch {
	case f.Delay != 0:
		special = fieldDelay
	case f.Byoyomi != 0:
		special = fieldByoyomi
	}
	switch {
	case f.Periods != 0 && f.Byoyomi == 0:
		return wrong(fieldPeriods, "needs "+fieldByoyomi)
	case f.Delay != 0 && f.Byoyomi != 0:
		return wrong(fieldByoyomi, "cannot be combined with "+fieldDelay)
	case special != "" && increment != 0:
		return wrong(special, "cannot be combined with "+fieldIncrement)
	case f.Limit == nil && special != "":
		return wrong(fieldLimit, "is needed with "+special)
	case f.Limit == nil && f.Increment != nil:
		return wrong(fieldLimit, "is needed with "+fieldIncrement)
	case f.Limit != nil && f.Increment == nil && special == "":
		return wrong(fieldIncrement, "is needed with "+fieldLimit)
	case f.Limit == nil && f.Days != 0:
		return NewCorrespondence(f.Days), nil
	case f.Limit == nil:
		return Control{}, nil
	}
	limit := time.Duration(*f.Limit) * time.Second
	switch special {
	case fieldDelay:
		return NewDelay(limit, time.Duration(f.Delay)*time.Second), nil
	case fieldByoyomi:
		periods := f.Periods
		if periods == 0 {
			periods = 1
		}
		return NewByoyomi(limit, time.Duration(f.Byoyomi)*time.Second, periods), nil
	}
	return NewFischer(limit, time.Duration(increment)*time.Second), nil
}

// Terms are the parts of a control in which stored games and challenges keep
// it.
type Terms struct {
	HasClock                         bool
	Limit, Increment, Delay, Byoyomi time.Duration
	Periods, Days                    int
}

// Terms takes the control apart.
func (c Control) Terms() Terms {
	return Terms{HasClock: c.HasClock(), Limit: c.Limit, Increment: c.Increment, Delay: c.Delay, Byoyomi: c.Period,
		Periods: c.Periods, Days: c.Days}
}

// Control puts a control together again.
func (t Terms) Control() Control {
	switch {
	case t.HasClock && t.Delay > 0:
		return NewDelay(t.Limit, t.Delay)
	case t.HasClock && t.Byoyomi > 0:
		return NewByoyomi(t.Limit, t.Byoyomi, t.Periods)
	case t.HasClock:
		return NewFischer(t.Limit, t.Increment)
	case t.Days > 0:
		return NewCorrespondence(t.Days)
	}
	return Control{}
}
