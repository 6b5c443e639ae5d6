package match

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"hoplite/engine/eval"
	"hoplite/engine/foreign"
	"hoplite/engine/net"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// Own is our engine, in this process.
type Own struct {
	search.Options
	// Level is the level of play; 0 is full strength without variety.
	Level int
	// Seed drives the chance of the levels.
	Seed uint64
}

// set sets an option by its name.
func (o *Own) set(r *rules.Rules, name, value string) (err error) {
	switch strings.ToLower(name) {
	case "hash":
		o.Hash, err = strconv.Atoi(value)
	case "threads":
		o.Threads, err = strconv.Atoi(value)
	case "skill level":
		o.Level, err = strconv.Atoi(value)
	case "weights":
		o.Weights, err = readWeights(r, value)
	case "network":
		if o.Plain = value == "none"; !o.Plain {
			o.Network, err = readNetwork(r, value)
		}
	default:
		err = errors.New("there are Hash, Threads, Skill Level, Weights and Network")
	}
	return err
}

// readWeights reads a file of weights, which changes those of the game's
// family.
func readWeights(r *rules.Rules, path string) (*eval.Weights, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w, err := eval.Read(r, f, eval.Family(r))
	return &w, err
}

// readNetwork reads a file of a network.
func readNetwork(r *rules.Rules, path string) (*net.Net, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, err := net.Read(f)
	if err != nil {
		return nil, err
	}
	return in.Network(r)
}

// Start makes a player of games of r.
func (o Own) Start(r *rules.Rules) (foreign.Player, error) {
	if n := len(search.Levels()); o.Level < 0 || o.Level > n {
		return nil, fmt.Errorf("level %d: there are 1 to %d", o.Level, n)
	}
	return &ownPlayer{own: o, engine: search.New(r, o.Options)}, nil
}

type ownPlayer struct {
	own    Own
	engine *search.Engine
	used   time.Duration
	games  uint64
}

func (p *ownPlayer) Name() string { return "Hoplite" }

func (p *ownPlayer) NewGame(context.Context, *rules.Game, search.Limits) error {
	p.engine.NewGame()
	p.games++
	return nil
}

// Think searches in the calling goroutine, whose thread is kept, so that its
// processor time is that of the search.
func (p *ownPlayer) Think(ctx context.Context, g *rules.Game, l search.Limits) (foreign.Thought, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, _ := foreign.ThreadTime() // CPU says so if it cannot be measured
	var res search.Result
	if p.own.Level == 0 {
		res = p.engine.Search(ctx, g, l, nil)
	} else {
		res = p.engine.Choose(ctx, g, search.Levels()[p.own.Level-1], l, p.own.Seed+p.games)
	}
	after, _ := foreign.ThreadTime()
	p.used += after - before
	if ctx.Err() != nil {
		return foreign.Thought{}, context.Cause(ctx)
	}
	t := foreign.Thought{Move: res.Best, Score: &res.Score, Depth: res.Depth, Nodes: res.Nodes}
	if res.Best == 0 {
		t.Word = foreign.Mute
	}
	return t, nil
}

func (p *ownPlayer) CPU() (time.Duration, error) {
	if p.own.Threads > 1 {
		return 0, errors.New("processor time of several threads: run the engine as a program of its own")
	}
	_, err := foreign.ThreadTime()
	return p.used, err
}

func (p *ownPlayer) Close() {}
