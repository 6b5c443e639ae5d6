package protocol

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// cecp is the Chess Engine Communication Protocol of XBoard and WinBoard,
// version 2. The engine knows which side it plays and moves by itself when it
// is that side's turn.
type cecp struct {
	*session
	commands map[string]order

	side      rules.Side // that the engine plays
	force     bool       // it plays neither
	analysing bool
	ponders   bool // on the opponent's time
	post      bool // what it thinks is shown
	over      bool // the result has been told

	task     task         // what the last search is for, which may have ended
	watch    *watch       // what it has reported
	expected rules.Move   // the opponent's move that it ponders on, or would; 0: none
	score    search.Score // of the engine's last move
	excluded []rules.Move // not looked at in this position

	times times
	// turns are the numbers of moves that each turn of the game has, and legs
	// the beginning of one that is still to be completed.
	turns []int
	open  bool // the last turn goes on
	legs  string
	// broken says that the last position could not be set up, so that no move
	// is possible.
	broken bool
	// waiting are the commands that wait until the move is out.
	waiting []string
}

// task is what a search is for.
type task int

const (
	nothing   task = iota
	thinking       // about a move, which will be played
	pondering      // about the answer to the move expected
	analysis
)

// order is a command: what it does, and what becomes of a running search.
type order struct {
	do   func(ctx context.Context, args []string) error
	when manner
}

// manner says what a command does to a search.
type manner int

const (
	// aside leaves it alone.
	aside manner = iota
	// after waits until the move is out, and interrupts other searches.
	after
	// instead ends it for nothing.
	instead
)

// complaint is what XBoard calls an error: the reason goes between brackets.
type complaint string

func (c complaint) Error() string { return string(c) }

const (
	notNow  complaint = "command not legal now"
	missing complaint = "too few parameters"
)

// illegalMove is a move that cannot be made.
type illegalMove struct{ move, reason string }

func (e *illegalMove) Error() string { return e.reason }

func newCECP(s *session) dialect {
	d := &cecp{session: s, side: 1, times: newTimes()}
	d.commands = d.orders()
	return d
}

func (d *cecp) orders() map[string]order {
	quietly := func(do func()) func(context.Context, []string) error {
		return func(context.Context, []string) error { do(); return nil }
	}
	ignored := order{do: quietly(func() {})}
	return map[string]order{
		"xboard":    {do: quietly(func() { d.out.line("") })},
		"protover":  {do: quietly(d.features)},
		"accepted":  ignored,
		"rejected":  ignored,
		"new":       {do: d.new, when: instead},
		"variant":   {do: d.variant, when: instead},
		"setboard":  {do: d.setboard, when: instead},
		"force":     {do: quietly(func() { d.force, d.analysing = true, false }), when: instead},
		"go":        {do: d.goOn, when: after},
		"playother": {do: d.playOther, when: after},
		"white":     {do: d.colour(0), when: instead},
		"black":     {do: d.colour(1), when: instead},
		"usermove":  {do: d.usermove},
		"?":         {do: d.moveNow},
		"undo":      {do: d.undo, when: instead},
		"remove":    {do: d.remove, when: instead},
		"result":    {do: quietly(func() { d.force, d.over = true, true }), when: instead},
		"analyze":   {do: d.analyze, when: after},
		"exit":      {do: d.exit, when: instead},
		".":         {do: d.status},
		"exclude":   {do: d.exclude, when: after},
		"include":   {do: d.include, when: after},
		"level":     {do: d.level, when: after},
		"st":        {do: d.perMove, when: after},
		"sd":        {do: d.depth, when: after},
		"nps":       {do: d.nodeRate, when: after},
		"time":      {do: d.ownTime},
		"otim":      {do: d.otherTime},
		"memory":    {do: d.sized(optHash), when: after},
		"cores":     {do: d.sized(optThreads), when: after},
		"option":    {do: d.option, when: after},
		"ping":      {do: d.ping},
		"draw":      {do: d.draw},
		"hint":      {do: d.hint},
		"bk":        {do: quietly(func() { d.out.line(" no book"); d.out.line("") })},
		"post":      {do: quietly(func() { d.post = true; d.watch.show(true) })},
		"nopost":    {do: quietly(func() { d.post = false; d.watch.show(false) })},
		"hard":      {do: quietly(func() { d.ponders = true })},
		"easy":      {do: d.easy},
		"random":    ignored, "computer": ignored, "name": ignored, "rating": ignored, "ics": ignored,
	}
}

func (d *cecp) command(ctx context.Context, line string) bool {
	if line == "quit" {
		return true
	}
	d.obey(ctx, line)
	d.resume(ctx)
	return false
}

// obey carries out one command, now or later.
func (d *cecp) obey(ctx context.Context, line string) {
	words := strings.Fields(line)
	name, args := words[0], words[1:]
	o, known := d.commands[name]
	if !known {
		// Without the feature usermove a move stands alone.
		o, args = d.commands["usermove"], words
		if !d.looksLikeMove(line) {
			d.complain(line, complaint("unknown command"))
			return
		}
	}
	switch {
	case d.doing() == thinking && o.when == after:
		d.waiting = append(d.waiting, line)
		return
	case o.when != aside:
		d.abandon()
	}
	if err := o.do(ctx, args); err != nil {
		d.complain(line, err)
	}
}

// complain tells XBoard what was wrong with a command.
func (d *cecp) complain(line string, err error) {
	var move *illegalMove
	if errors.As(err, &move) {
		d.out.line("Illegal move (%s): %s", bracketed(move.reason), clip(move.move))
		return
	}
	d.out.line("Error (%s): %s", bracketed(err.Error()), clip(line))
}

// bracketed makes a text fit between brackets.
func bracketed(text string) string { return strings.NewReplacer("(", "[", ")", "]").Replace(text) }

// doing is what the running search is for.
func (d *cecp) doing() task {
	if d.run == nil {
		return nothing
	}
	return d.task
}

// resume does what is due after a command: those that have waited, then
// analysis, if it was interrupted.
func (d *cecp) resume(ctx context.Context) {
	for len(d.waiting) > 0 && d.doing() != thinking {
		line := d.waiting[0]
		d.waiting = d.waiting[1:]
		d.obey(ctx, line)
	}
	if d.analysing && d.doing() == nothing {
		d.startAnalysis(ctx)
	}
}

// found plays the move of a search that has ended.
func (d *cecp) found(ctx context.Context, res search.Result) {
	if d.task == thinking && res.Best != 0 {
		d.playOwn(ctx, res)
	}
	d.resume(ctx)
}

// features answers "protover".
func (d *cecp) features() {
	d.out.line("feature done=0")
	d.out.line(`feature myname="%s"`, strings.ReplaceAll(d.opts.Name, `"`, "'"))
	d.out.line("feature setboard=1 usermove=1 playother=1 ping=1 time=1 draw=1 colors=0 san=0 sigint=0 sigterm=0 reuse=1")
	d.out.line("feature memory=1 smp=1 nps=1 exclude=1 analyze=1 debug=1")
	d.out.line(`feature variants="%s"`, strings.Join(d.shown(), ","))
	for _, o := range d.offers() {
		d.out.line(`feature option="%s"`, o.cecpText())
	}
	d.out.line("feature done=1")
}

func (d *cecp) offers() []option {
	return d.spelled([]spelling{{optLevel, optLevel}, {optLimit, "Limit Strength"}, {optElo, "Elo"}, {optMultiPV, optMultiPV},
		{optOverhead, optOverhead}, {optPath, optPath}, {optClear, optClear}})
}

// cecpText describes an option as XBoard reads it.
func (o *option) cecpText() string {
	switch o.kind {
	case spin:
		return fmt.Sprintf("%s -spin %s %d %d", o.name, o.value, o.min, o.max)
	case check:
		on := 0
		if o.value == "true" {
			on = 1
		}
		return fmt.Sprintf("%s -check %d", o.name, on)
	case file:
		return o.name + " -file "
	case combo:
		return fmt.Sprintf("%s -combo %s", o.name, strings.Join(o.choices, " /// "))
	}
	return o.name + " -button"
}

// option obeys "option NAME=VALUE".
func (d *cecp) option(_ context.Context, args []string) error {
	name, value, _ := strings.Cut(strings.Join(args, " "), "=")
	if name == "" {
		return missing
	}
	return setOption(d.offers(), name, value)
}

// sized obeys a command that is a number for an option.
func (d *cecp) sized(name string) func(context.Context, []string) error {
	return func(_ context.Context, args []string) error {
		if len(args) == 0 {
			return missing
		}
		return setOption(d.options(), name, args[0])
	}
}

// ping answers when all that came before is done.
func (d *cecp) ping(_ context.Context, args []string) error {
	if d.doing() == thinking {
		d.waiting = append(d.waiting, strings.Join(append([]string{"ping"}, args...), " "))
		return nil
	}
	d.out.line("pong %s", strings.Join(args, " "))
	return nil
}
