package foreign

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// cecp plays over version 2 of the protocol of XBoard. Between its moves the
// program is kept in force mode, so that it never thinks unasked.
type cecp struct {
	*process
	program  Program
	rules    *rules.Rules
	features map[string]string
	options  []string // names of those it announced
	told     int      // moves of the game that it knows
	used     bool     // it has played
	pings    int
}

func startCECP(ctx context.Context, p Program, r *rules.Rules) (Player, error) {
	c := &cecp{program: p, rules: r}
	if err := c.launch(ctx); err != nil {
		return nil, err
	}
	if _, err := c.variant(); err != nil {
		c.Close()
		return nil, fmt.Errorf("engine %s: %w", p.file(), err)
	}
	return c, nil
}

// launch starts a process, reads its features and sets the options.
func (c *cecp) launch(ctx context.Context) error {
	process, err := start(c.program.Command, c.program.Dir, c.program.Log)
	if err != nil {
		return err
	}
	c.process, c.features, c.options, c.told, c.used = process, map[string]string{}, nil, 0, false
	if err := c.greet(ctx); err != nil {
		process.kill()
		return fmt.Errorf("engine %s: %w", c.program.file(), err)
	}
	return nil
}

func (c *cecp) greet(ctx context.Context) error {
	if err := c.sendAll("xboard", "protover 2"); err != nil {
		return err
	}
	if err := c.readFeatures(ctx); err != nil {
		return err
	}
	for _, s := range c.program.Options {
		if err := c.set(s); err != nil {
			return err
		}
	}
	return c.sync(ctx)
}

// set sets an option: memory and cores are commands of their own.
func (c *cecp) set(s Setting) error {
	switch name := strings.ToLower(s.Name); {
	case name == "memory" || name == "cores":
		return c.Send(name + " " + s.Value)
	case slices.ContainsFunc(c.options, func(o string) bool { return strings.EqualFold(o, s.Name) }):
		return c.Send("option " + s.Name + "=" + s.Value)
	default:
		return fmt.Errorf("no option %q", s.Name)
	}
}

// silence is how long a program that says nothing of itself is waited for: one
// of version 1 never does.
const silence = 5 * time.Second

var featureWord = regexp.MustCompile(`(\w+)=("[^"]*"|\S+)`)

// readFeatures reads until the program is done with them.
func (c *cecp) readFeatures(ctx context.Context) error {
	limit, late := silence, fmt.Errorf("%w: it does not end the list of its features", ErrHung)
	for {
		wait, cancel := context.WithTimeoutCause(ctx, limit, late)
		line, err := c.next(wait)
		cancel()
		if errors.Is(err, late) && limit == silence {
			return nil // of version 1
		}
		if err != nil {
			return err
		}
		rest, ok := strings.CutPrefix(line, "feature ")
		if !ok {
			continue
		}
		for _, f := range featureWord.FindAllStringSubmatch(rest, -1) {
			name, value := f[1], strings.Trim(f[2], `"`)
			if name == "done" && value == "1" {
				return nil
			}
			if name == "done" {
				limit = startTimeout
			}
			if name == "option" {
				option, _, _ := strings.Cut(value, " -")
				c.options = append(c.options, option)
			}
			answer := "accepted "
			if name == "san" {
				answer = "rejected " // moves are exchanged as coordinates
			}
			c.features[name] = value
			if err := c.Send(answer + name); err != nil {
				return err
			}
		}
	}
}

// sync waits until the program has worked off what it was sent, and forgets
// what it has said, such as the result of the game before. Of programs without
// ping only what has come already is forgotten.
func (c *cecp) sync(ctx context.Context) error {
	if c.features["ping"] != "1" {
		c.drain()
		return nil
	}
	c.pings++
	n := strconv.Itoa(c.pings)
	if err := c.Send("ping " + n); err != nil {
		return err
	}
	var refused error
	err := c.wait(ctx, "pong", func(line string) {
		if isRefusal(line) {
			refused = &RefusedError{Line: quote(line)}
		}
	}, func(line string) bool { return strings.TrimSpace(line) == "pong "+n })
	if err != nil {
		return err
	}
	return refused
}

// variant is the program's name of the game.
func (c *cecp) variant() (string, error) {
	if c.program.Variant != "" {
		return c.program.Variant, nil
	}
	offered := splitFields(c.features["variants"])
	if len(offered) == 0 {
		offered = []string{normalGame}
	}
	name, ok := nameAmong(c.rules, offered)
	if !ok {
		return "", fmt.Errorf("%w %s", ErrGame, c.rules.Key())
	}
	return name, nil
}

func (c *cecp) Name() string {
	if n := c.features["myname"]; n != "" {
		return n
	}
	return c.program.file()
}

func (c *cecp) NewGame(ctx context.Context, g *rules.Game, l search.Limits) error {
	if c.used && c.features["reuse"] == "0" {
		c.Close()
		if err := c.launch(ctx); err != nil {
			return err
		}
	}
	c.used, c.told = true, 0
	name, err := c.variant()
	if err != nil {
		return err
	}
	lines := []string{"new"}
	if name != normalGame {
		lines = append(lines, "variant "+name)
	}
	lines = append(lines, "easy", "post")
	lines = append(lines, pace(l)...)
	lines = append(lines, "force")
	if !notation.IsUsualStart(g.Start()) {
		if c.features["setboard"] != "1" {
			return errors.New("it cannot be given a position to start from")
		}
		lines = append(lines, "setboard "+notation.FEN(g.Start()))
	}
	if err := c.sendAll(lines...); err != nil {
		return err
	}
	return c.sync(ctx)
}

// pace writes the commands that say how a program's time is counted.
func pace(l search.Limits) []string {
	var lines []string
	switch {
	case l.Clock != nil:
		base := max(l.Clock.Time[0], l.Clock.Time[1])
		lines = append(lines, fmt.Sprintf("level %d %d:%02d %s", l.Clock.MovesToGo,
			int(base.Minutes()), int(base.Seconds())%60, seconds(l.Clock.Inc[0])))
	case l.MoveTime > 0:
		lines = append(lines, "st "+seconds(l.MoveTime))
	}
	if l.Depth > 0 {
		lines = append(lines, "sd "+strconv.Itoa(l.Depth))
	}
	return lines
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

func (c *cecp) Think(ctx context.Context, g *rules.Game, l search.Limits) (Thought, error) {
	if l.Nodes > 0 {
		return Thought{}, errors.New("CECP has no limit of nodes")
	}
	moves, err := moveTexts(ProtocolCECP, false, g, c.told)
	if err != nil {
		return Thought{}, err
	}
	for _, move := range moves {
		if err := c.sendMove(move); err != nil {
			return Thought{}, err
		}
	}
	if err := c.sync(ctx); err != nil {
		return Thought{}, err
	}
	c.told = len(g.Moves())
	if k := l.Clock; k != nil && c.features["time"] != "0" {
		us := g.Position().Turn() & 1
		if err := c.sendAll("time "+centiseconds(k.Time[us]), "otim "+centiseconds(k.Time[1-us])); err != nil {
			return Thought{}, err
		}
	}
	if err := c.Send("go"); err != nil {
		return Thought{}, err
	}
	t, err := c.listen(ctx, g)
	if err == nil && t.Move != 0 {
		c.told++
		err = c.Send("force")
	}
	return t, err
}

// sendMove tells the program a move, leg by leg with a comma after all but the
// last.
func (c *cecp) sendMove(move string) error {
	word := ""
	if c.features["usermove"] == "1" {
		word = "usermove "
	}
	legs := notation.XBoardLegs(move)
	for i, leg := range legs {
		if i < len(legs)-1 {
			leg += ","
		}
		if err := c.Send(word + leg); err != nil {
			return err
		}
	}
	return nil
}

func centiseconds(d time.Duration) string {
	return strconv.FormatInt(max(d.Milliseconds()/10, 1), 10)
}

// thinking is a line of the search: depth, score, time and nodes.
var thinking = regexp.MustCompile(`^\s*(\d+)[^\s\d]?\s+([+-]?\d+)\s+\d+\s+(\d+)(\s|$)`)

// cecpMate is from where on scores count the moves to a mate.
const cecpMate = 100_000

// listen reads until the program has moved or said something else.
func (c *cecp) listen(ctx context.Context, g *rules.Game) (Thought, error) {
	var t Thought
	var legs string // of a move that is not complete
	for {
		line, err := c.next(ctx)
		if err != nil {
			return t, err
		}
		if f := thinking.FindStringSubmatch(line); f != nil {
			t.note(f)
			continue
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "move":
			text := legs + strings.TrimSpace(rest)
			if strings.HasSuffix(text, ",") {
				legs = text
				continue
			}
			t.Move, err = readMove(ProtocolCECP, g.Position(), text)
			if err != nil {
				return t, &IllegalError{Text: text, Err: err}
			}
			return t, nil
		case isRefusal(line):
			return t, &RefusedError{Line: quote(line)}
		}
		if t.Word = result(word, g.Position().Turn()); t.Word != "" {
			return t, nil
		}
	}
}

// note takes over a line of the search.
func (t *Thought) note(f []string) {
	t.Depth, _ = strconv.Atoi(f[1])
	t.Nodes, _ = strconv.ParseUint(f[3], 10, 64)
	v, err := strconv.Atoi(f[2])
	if err != nil {
		return
	}
	s := search.Score{CP: v}
	switch {
	case v > cecpMate:
		s = search.Score{Mate: v - cecpMate}
	case v < -cecpMate:
		s = search.Score{Mate: v + cecpMate}
	}
	t.Score = &s
}

// isRefusal reports whether a line says that a move was not taken.
func isRefusal(line string) bool { return strings.HasPrefix(line, "Illegal move") }

// result reads what a program says of the end of the game, as its own word.
func result(word string, turn rules.Side) Word {
	winner := rules.Side(0)
	switch word {
	case "resign":
		return Resigns
	case "1/2-1/2":
		return ClaimsDraw
	case "0-1":
		winner = 1
	case "1-0":
	default:
		return ""
	}
	if winner == turn {
		return ClaimsWin
	}
	return Resigns
}
