package protocol_test

import (
	"context"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"hoplite/engine/protocol"
	"hoplite/engine/rules"
	"hoplite/engine/search"
)

// costly are requests for much memory or a long search, which are obeyed: that is what was asked for, and not what is
// tested.
var costly = regexp.MustCompile(`(?i)hash|threads|memory|cores|path`)

// fuzz sends arbitrary lines after the first word of a protocol. Searches are tiny. The session must end by itself, at the
// end of the input, without a panic.
func fuzz(f *testing.F, hello string, seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	opts := options(f)
	opts.Hash, opts.Nodes = 1, 200
	engines := map[*rules.Rules]*search.Engine{} // making one takes longer than all else; sessions come one after the other
	opts.Engine = func(r *rules.Rules, o search.Options) *search.Engine {
		if engines[r] == nil {
			engines[r] = search.New(r, o)
		}
		return engines[r]
	}
	f.Fuzz(func(t *testing.T, input string) {
		if costly.MatchString(input) {
			return
		}
		done := make(chan error, 1)
		go func() {
			done <- protocol.Serve(context.Background(), strings.NewReader(hello+"\n"+input), io.Discard, opts)
		}()
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(patience):
			t.Fatal("the session hangs")
		}
	})
}

func FuzzUCI(f *testing.F) {
	fuzz(f, "uci",
		"isready\nquit\n",
		"position startpos moves e2e4 e7e5\ngo nodes 50\nstop\n",
		"setoption name UCI_Variant value spartan\nposition startpos\ngo depth 1\nponderhit\n",
		"setoption name MultiPV value 500\ngo infinite\nstop\ngo searchmoves a b c mate 1 nodes 10\n",
		"setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 600\ngo nodes 10\n",
		"position fen 8/8/8/8/8/8/8/8 w - - 0 1\ngo ponder\n", "go mate\n", "\x00\nposition\n\nsetoption name\n")
}

func FuzzCECP(f *testing.F) {
	fuzz(f, "xboard",
		"protover 2\nnew\nvariant spartan\nlevel 40 0:01 0\nsd 1\ngo\nping 1\n",
		"new\nvariant chu\nnps 1000\nst 1\nforce\nusermove d4d5\nusermove e9e8,\nusermove e8e7\ngo\n?\n",
		"new\nhard\npost\nsd 1\nusermove e2e4\nusermove e7e5\nundo\nremove\ndraw\nhint\n.\nanalyze\n.\nundo\nexit\n",
		"new\nvariant xiangqi\nsetboard 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1\nsd 1\ngo\nusermove e0e1\n",
		"new\nexclude all\nsd 1\ngo\ninclude e2e4\ngo\nexclude e2e4\nresult 1-0 {x}\n",
		"new\nvariant marseillais\nsd 1\ngo\nusermove e7e5,d7d5\n", "level\nlevel x y z\nst\nsd -1\ntime\notim x\noption\n@@@@\n,\nusermove ,\n")
}

func FuzzUSI(f *testing.F) {
	fuzz(f, "usi",
		"isready\nusinewgame\nposition startpos moves 7g7f 3c3d\ngo btime 0 wtime 0 byoyomi 10\nstop\ngameover win\n",
		"position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\ngo ponder btime 10 wtime 10\nponderhit\n",
		"position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\ngo mate 10\n", "setoption name USI_Variant value chuShogi\nposition startpos\ngo nodes 1\n",
		"position sfen\nposition startpos moves 1\ngo mate x\ngo binc\n")
}

func FuzzUCCI(f *testing.F) {
	fuzz(f, "ucci",
		"setoption usemillisec true\nposition startpos moves h2e2\ngo time 10 increment 0\nstop\n",
		"position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r\nbanmoves h2e2 x\ngo draw depth 1\nponderhit draw\nprobe\n",
		"setoption\nsetoption newgame\nsetoption batch on\nbanmoves\ngo time x opptime\ngo nodes 1\nquit\n")
}
