package match_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"hoplite/engine/foreign"
	"hoplite/engine/match"
	"hoplite/engine/notation"
	"hoplite/engine/protocol"
	"hoplite/engine/rules"
	"hoplite/engine/variant"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv("HOPLITE_FAKE"); mode != "" {
		f := fake{mode: mode, proto: foreign.Protocol(os.Getenv("HOPLITE_FAKE_PROTO")), key: os.Getenv("HOPLITE_FAKE_GAME")}
		f.run()
		return
	}
	os.Exit(m.Run())
}

// one compiles one game: programs that are started again and again have no time
// for all of them.
func one(key string) (*variant.Set, error) {
	var defs []*rules.Definition
	for _, d := range variant.All() {
		if d.Key == key || d.Key == "chess960" { // an alias of chess needs the latter
			defs = append(defs, d)
		}
	}
	return variant.Compile(defs)
}

func game(t *testing.T, key string) *rules.Rules {
	t.Helper()
	set, err := one(key)
	if err != nil {
		t.Fatal(err)
	}
	r, ok := set.Get(key)
	if !ok {
		t.Fatalf("no game %s", key)
	}
	return r
}

// fakeEngine describes the test binary as an engine that behaves in a way: see
// fake.misbehave.
func fakeEngine(t *testing.T, mode string, proto foreign.Protocol, r *rules.Rules) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("name=fake,proto=%s,cmd=/usr/bin/env HOPLITE_FAKE=%s HOPLITE_FAKE_PROTO=%s HOPLITE_FAKE_GAME=%s %s",
		proto, mode, proto, r.Key(), exe)
}

// fake is a program that plays the first legal move, and misbehaves at its
// second one; in the mode "ours" it is our engine.
type fake struct {
	mode  string
	proto foreign.Protocol
	key   string
	rules *rules.Rules
	game  *rules.Game
	moves int // made
}

func (f *fake) run() {
	set, err := one(f.key)
	if err != nil {
		panic(err)
	}
	if f.mode == "ours" {
		opts := protocol.Options{Name: "Hoplite", Author: "a test", Variants: set, Seed: 1}
		if err := protocol.Serve(context.Background(), os.Stdin, os.Stdout, opts); err != nil {
			panic(err)
		}
		return
	}
	f.rules, _ = set.Get(f.key)
	f.reset()
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		words := strings.Fields(in.Text())
		if len(words) == 0 {
			continue
		}
		if words[0] == "quit" {
			return
		}
		if f.proto == foreign.ProtocolCECP {
			f.cecp(words)
		} else {
			f.uci(words)
		}
	}
}

func (f *fake) reset() {
	start, err := f.rules.Start(f.rules.UsualStart())
	if err != nil {
		panic(err)
	}
	f.game = rules.NewGame(start)
}

// uci answers in a protocol of the UCI family.
func (f *fake) uci(words []string) {
	switch words[0] {
	case string(f.proto):
		fmt.Printf("id name Fake\n%sok\n", f.proto)
	case "isready":
		fmt.Println("readyok")
	case "ucinewgame", "usinewgame":
		f.moves = 0
	case "setoption":
		if slices.Contains(words, "newgame") {
			f.moves = 0
		}
	case "position":
		f.reset()
		if i := slices.Index(words, "fen"); i >= 0 {
			p, err := notation.ParseFEN(f.rules, strings.Join(words[i+1:i+7], " "))
			if err != nil {
				panic(err)
			}
			f.game = rules.NewGame(p)
		}
		if i := slices.Index(words, "moves"); i >= 0 {
			for _, text := range words[i+1:] {
				f.take(text)
			}
		}
	case "go":
		if text := f.misbehave(); text != "" {
			fmt.Printf("info depth 1 score cp 0 nodes 9\nbestmove %s\n", text)
		}
	}
}

// cecp answers in CECP.
func (f *fake) cecp(words []string) {
	switch words[0] {
	case "protover":
		fmt.Printf("feature done=0\nfeature myname=\"Fake\" ping=1 setboard=1 usermove=1 variants=\"normal,%s\"\nfeature done=1\n",
			f.rules.Definition().UCIName)
	case "new":
		f.reset()
		f.moves = 0
	case "ping":
		fmt.Println("pong", words[1])
	case "setboard":
		p, err := notation.ParseFEN(f.rules, strings.Join(words[1:], " "))
		if err != nil {
			panic(err)
		}
		f.game = rules.NewGame(p)
	case "usermove":
		if f.mode == "refuse" {
			fmt.Println("Illegal move (I do not like it):", words[1])
			return
		}
		f.take(words[1])
	case "go":
		if text := f.misbehave(); text != "" {
			fmt.Printf("1 0 1 9 %s\nmove %s\n", text, text)
		}
	}
}

// take makes a move that was sent.
func (f *fake) take(text string) {
	var m rules.Move
	var err error
	switch f.proto {
	case foreign.ProtocolUSI:
		m, err = notation.ParseUSI(f.game.Position(), text)
	case foreign.ProtocolUCCI:
		m, err = notation.ParseNative(f.game.Position(), text)
	default:
		m, err = notation.ParseMove(f.game.Position(), text)
	}
	if err == nil {
		err = f.game.Play(m)
	}
	if err != nil {
		panic(err)
	}
}

// misbehave answers "go": with a move, or, at the second move, as the mode
// says.
func (f *fake) misbehave() string {
	f.moves++
	if f.moves == 2 {
		switch f.mode {
		case "crash":
			os.Exit(3)
		case "hang":
			return ""
		case "illegal":
			return "a1a1"
		case "garbage":
			return "§§§"
		case "resign":
			if f.proto == foreign.ProtocolCECP {
				fmt.Println("resign")
				return ""
			}
			return "resign"
		case "claim":
			if f.proto == foreign.ProtocolCECP {
				fmt.Println("1/2-1/2 {I want it}")
				return ""
			}
			return "draw"
		case "none":
			return "(none)"
		}
	}
	p := f.game.Position()
	m := p.Moves(nil)[0]
	text := notation.FormatMove(p, m)
	switch f.proto {
	case foreign.ProtocolUSI:
		var err error
		if text, err = notation.FormatUSI(p, m); err != nil {
			panic(err)
		}
	case foreign.ProtocolUCCI:
		b := f.rules.Board()
		square := func(c rules.Cell) string {
			file, rank := b.Coord(c)
			return string(rune('a'+file)) + string(rune('0'+rank))
		}
		text = square(m.From()) + square(m.To())
	case foreign.ProtocolCECP:
		if err := f.game.Play(m); err != nil {
			panic(err)
		}
	}
	return text
}

// newMatch prepares two games between our engine at few nodes and another.
func newMatch(t *testing.T, key, other string) *match.Match {
	t.Helper()
	r := game(t, key)
	m := &match.Match{Rules: r, Games: 2, Openings: match.Openings{Rules: r, Plies: 2, Seed: 1}}
	m.Adjudicate.MaxPlies = 40
	for i, text := range []string{"name=own,nodes=30", other} {
		var err error
		if m.Contestants[i], err = match.ParseContestant(text, r, match.Limits{Depth: 1}, nil); err != nil {
			t.Fatal(err)
		}
	}
	return m
}
