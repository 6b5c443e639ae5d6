package game

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hoplite/server/fault"
)

// maxID is the length of an action id in bytes.
const maxID = 100

// Step is what an accepted action does. Nothing of it may be shown to anybody
// before its rows are durable.
type Step struct {
	// Rows are to be appended to the log. A step without rows needs no commit:
	// it changed nothing that lasts.
	Rows []Row
	// Version answers the action: the number of its row.
	Version uint64
	// Note says why nothing happened, if so.
	Note string
	// Ended says that the game ended with this step.
	Ended bool

	events []Event
	// turn says that the next turn begins with the release.
	turn bool
}

// Apply does the action as of now, the time at which it arrived. An action
// that is refused (*fault.Error) changes nothing. An action whose id the same
// player used before gets the earlier answer.
//
// After an accepted action with rows, call Release as soon as the rows are
// durable, before the next Apply.
func (s *State) Apply(a Action, now time.Time) (*Step, error) {
	if len(a.ID) > maxID || strings.ContainsFunc(a.ID, unicode.IsControl) || !utf8.ValidString(a.ID) {
		return nil, errBadID
	}
	if a.ID != "" && a.Player < 0 {
		a.ID = a.Username + "/" + a.ID // spectators share the index -1
	}
	if v, ok := s.Answered(a.Player, a.ID); ok {
		return &Step{Version: v}, nil
	}
	if err := s.admit(&a); err != nil {
		return nil, err
	}
	switch a.Kind {
	case Move:
		return s.move(&a, now)
	case Abort:
		return s.abort(&a, now)
	case Resign:
		return s.resign(&a, now)
	case DrawYes:
		return s.drawYes(&a, now)
	case DrawNo:
		return s.drawNo(&a, now)
	case TakebackYes:
		return s.takebackYes(&a, now)
	case TakebackNo:
		return s.takebackNo(&a, now)
	case ClaimVictory, ClaimDraw:
		return s.claim(&a, now)
	case Declare:
		return s.declare(&a, now)
	case Chat:
		return s.chat(&a, now)
	case SetConditional:
		return s.setConditional(&a, now)
	case Mute:
		return s.mute(&a, now)
	case AddTime:
		return s.addTime(&a, now)
	case StartClocks:
		return s.startClocks(&a, now)
	case Timeout:
		return s.timeout(&a, now)
	case Gone, Back:
		return s.presence(&a, now)
	case Rematched:
		return s.rematched(&a, now)
	}
	return nil, fault.Invalid("Unknown action")
}

// The texts of LICHESS_API.md §9.2, which people search for.
var (
	errNotYourTurn  = fault.Invalid("Not your turn, or game already over")
	errOver         = fault.Invalid("The game is already over")
	errNoAbort      = fault.Invalid("This game can no longer be aborted")
	errNoResign     = fault.Invalid("This game cannot be resigned")
	errNoClaimWin   = fault.Invalid("You cannot claim the win on this game")
	errNoClaimDraw  = fault.Invalid("You cannot claim draw on this game")
	errNotAPlayer   = fault.NotFound("Not your game")
	errNoTakeback   = fault.Invalid("There is no move to take back")
	errNoTakebacks  = fault.Invalid("Moves are taken back in games of two players only")
	errNotDue       = fault.Invalid("The time is not up")
	errOut          = fault.Invalid("You are out of this game")
	errNoClock      = fault.Invalid("This game has no clock")
	errBadID        = fault.Invalid("Invalid action id")
	errNoGivingTime = fault.Invalid("This game allows no extra time")
)

// admit checks who may do what at all.
func (s *State) admit(a *Action) error {
	player := a.Player >= 0 && a.Player < len(s.cur.Players)
	switch a.Kind {
	case Chat:
		if a.Player == -1 && a.Room == RoomSpectator {
			return nil
		}
	case Abort, StartClocks, Timeout, Rematched:
		if a.Player == -1 {
			return nil
		}
	}
	if !player {
		return errNotAPlayer
	}
	if s.cur.Out[a.Player] && a.Kind != Chat && a.Kind != Mute && a.Kind != Gone && a.Kind != Back {
		return errOut
	}
	return nil
}

// Release tells the state that the step's rows are durable. The next turn
// begins now: nobody pays for the disk. diff is how the ratings changed, if
// the game was rated. It returns the events to publish, in order, and the
// state after them.
func (s *State) Release(st *Step, now time.Time, diff PerPlayer[*int]) ([]Event, *Snapshot) {
	if st.turn && !s.cur.Over() {
		s.cur.At = now
	}
	if diff != (PerPlayer[*int]{}) {
		s.cur.RatingDiff = diff
	}
	for i := range st.events {
		// Nobody has seen these snapshots yet.
		snap := st.events[i].Snapshot
		snap.At, snap.RatingDiff = s.cur.At, s.cur.RatingDiff
	}
	if n := len(st.events); n > 0 {
		return st.events, st.events[n-1].Snapshot
	}
	return nil, s.Snapshot()
}

// Last returns the state after the step, before its release: what the stored
// game becomes.
func (st *Step) Last() *Snapshot {
	if n := len(st.events); n > 0 {
		return st.events[n-1].Snapshot
	}
	return nil
}

// nothing is the answer to a harmless action without effect.
func (s *State) nothing(note string) (*Step, error) {
	return &Step{Version: s.cur.Version, Note: note}, nil
}

// write adds a row to the step and to the state.
func (s *State) write(st *Step, a *Action, kind RowKind, now time.Time, d *rowData) error {
	data, err := d.encode()
	if err != nil {
		return err
	}
	row := Row{Kind: kind, Player: a.Player, At: now.Truncate(time.Millisecond), Data: data}
	if len(st.Rows) == 0 {
		row.ActionID = a.ID
	}
	wasOver, wasTurn := s.cur.Over(), s.cur.Turn
	if err := s.evolve(&row, d); err != nil {
		return err
	}
	if len(st.Rows) == 0 {
		st.Version = s.cur.Version
	}
	st.Rows = append(st.Rows, row)
	st.events = append(st.events, s.eventOf(&row, d))
	st.Ended = st.Ended || !wasOver && s.cur.Over()
	st.turn = st.turn || kind.beginsTurn() || kind == RowRetire && s.cur.Turn != wasTurn
	return nil
}

// one is the step of an action that writes one row.
func (s *State) one(a *Action, kind RowKind, now time.Time, d *rowData) (*Step, error) {
	st := new(Step)
	if err := s.write(st, a, kind, now, d); err != nil {
		return nil, err
	}
	return st, nil
}

// noted is like one, followed by a system note to the players.
func (s *State) noted(a *Action, kind RowKind, now time.Time, d *rowData, note string) (*Step, error) {
	st, err := s.one(a, kind, now, d)
	if err != nil {
		return nil, err
	}
	if s.chatted[RoomPlayer] >= maxChat {
		return st, nil
	}
	system := &Action{Player: -1}
	line := &rowData{Room: RoomPlayer, User: SystemName, Text: note}
	if err := s.write(st, system, RowChat, now, line); err != nil {
		return nil, err
	}
	return st, nil
}

// end is the step of an action that ends the game.
func (s *State) end(a *Action, now time.Time, e rowEnd) (*Step, error) {
	s.rankNow(&e)
	d := &rowData{End: &e}
	if s.cur.Control.HasClock() {
		d.Clocks = s.stored(s.clocksAt(now))
	}
	return s.one(a, RowEnd, now, d)
}

// clocksAt returns all clocks at now, to the millisecond.
func (s *State) clocksAt(now time.Time) PerPlayer[time.Duration] {
	c := s.cur.Clocks
	if s.cur.ClockRunning {
		c[s.cur.Turn] = s.cur.Control.Left(c[s.cur.Turn], s.thought(now))
	}
	return c
}

// thought is for how long the player to move has thought, to the millisecond.
func (s *State) thought(now time.Time) time.Duration {
	return max(0, now.Sub(s.cur.At)).Truncate(time.Millisecond)
}

// stored is the form of clocks in a row.
func (s *State) stored(c PerPlayer[time.Duration]) []int64 { return millis(c, len(s.cur.Players)) }

// sideName is how the notes call a player.
func (s *State) sideName(player int) string { return s.rules.Definition().Sides[player].Name }
