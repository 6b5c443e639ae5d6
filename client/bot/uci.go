package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"hoplite/engine/foreign"
	"hoplite/engine/notation"
)

const (
	// defaultMoveTime is spent on a move of a game without a clock.
	defaultMoveTime = 2 * time.Second
	// uciPatience is added to the time that a search may take by itself before
	// the program counts as hung.
	uciPatience = 5 * time.Second
)

// UCI is any program that speaks the Universal Chess Interface. Each game has a
// process of its own, so that games do not wait for each other; a process that
// dies is started again.
type UCI struct {
	cfg   EngineConfig
	log   *slog.Logger
	games games
	name  string
	plays map[string]bool // UCI names of the games that the program plays
	shuf  bool            // it has the option for castling from any files

	mu    sync.Mutex
	spare *foreign.UCI // the one that was asked for its options
}

// NewUCI starts the program once to learn what it can do. The configuration's
// options are checked against what the program announces.
func NewUCI(ctx context.Context, cfg EngineConfig, log *slog.Logger) (*UCI, error) {
	if len(cfg.Command) == 0 {
		return nil, errors.New("engine: no command")
	}
	g, err := newGames(cfg.Games)
	if err != nil {
		return nil, err
	}
	u := &UCI{cfg: cfg, log: log, games: g, plays: map[string]bool{foreign.UsualGame: true}}
	p, err := u.start(ctx)
	if err != nil {
		return nil, err
	}
	u.name = p.Name
	if u.name == "" {
		u.name = filepath.Base(cfg.Command[0])
	}
	if o, ok := p.Options[strings.ToLower(foreign.OptionVariant)]; ok {
		u.plays = map[string]bool{}
		for _, v := range o.Values {
			u.plays[v] = true
		}
	}
	_, u.shuf = p.Options[strings.ToLower(foreign.OptionChess960)]
	u.spare = p
	return u, nil
}

// start starts a process and sets the configured options.
func (u *UCI) start(ctx context.Context) (*foreign.UCI, error) {
	p, err := foreign.StartUCI(ctx, u.cfg.Command, u.cfg.Directory, u.log)
	if err != nil {
		return nil, err
	}
	for name, value := range u.cfg.Options {
		known, err := p.Set(name, value)
		if err == nil && !known {
			err = fmt.Errorf("engine %s has no option %q", u.cfg.Command[0], name)
		}
		if err != nil {
			p.Close()
			return nil, err
		}
	}
	if err := p.Ready(ctx); err != nil {
		p.Close()
		return nil, fmt.Errorf("engine %s: %w", u.cfg.Command[0], err)
	}
	return p, nil
}

// Name returns the program's own name.
func (u *UCI) Name() string { return u.name }

// Plays reports whether the program plays the variant: it lists the variant's
// UCI name, and castles from any files if the variant needs that.
func (u *UCI) Plays(key string) bool {
	if r, ok := u.games.rules(key); !u.plays[u.variantName(key)] || ok && r.Hides() {
		return false
	}
	return !u.shuffled(Game{Variant: key}) || u.shuf
}

// variantName returns the UCI name of a variant: what the configuration says,
// else the catalogue's, else the key in lower case, which is the custom for
// variants that we do not know.
func (u *UCI) variantName(key string) string {
	if name, ok := u.cfg.VariantNames[key]; ok {
		return name
	}
	switch r, ok := u.games.rules(key); {
	case !ok:
		return strings.ToLower(key)
	case r.Definition().UCIShuffled != "":
		return r.Definition().UCIShuffled
	default:
		return r.Definition().UCIName
	}
}

// shuffled reports whether the game may castle from any files.
func (u *UCI) shuffled(g Game) bool {
	r, ok := u.games.rules(g.Variant)
	return ok && r.Shuffled()
}

// Open gives the game a process.
func (u *UCI) Open(ctx context.Context, g Game) (Player, error) {
	if !u.Plays(g.Variant) {
		return nil, fmt.Errorf("%s does not play %s", u.name, g.Variant)
	}
	pl := &uciPlayer{engine: u, game: g, track: u.games.newTrack(g)}
	u.mu.Lock()
	pl.process, u.spare = u.spare, nil
	u.mu.Unlock()
	if err := pl.prepare(ctx); err != nil {
		pl.Close()
		return nil, err
	}
	return pl, nil
}

// Close ends the process that no game took.
func (u *UCI) Close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.spare != nil {
		u.spare.Close()
		u.spare = nil
	}
	return nil
}

// uciPlayer is a process that plays one game.
type uciPlayer struct {
	engine  *UCI
	game    Game
	track   *track
	process *foreign.UCI // nil after it died
}

// prepare starts a process if there is none and tells it which game begins.
func (p *uciPlayer) prepare(ctx context.Context) error {
	fresh := p.process == nil
	if fresh {
		process, err := p.engine.start(ctx)
		if err != nil {
			return err
		}
		p.process = process
	}
	name := p.engine.variantName(p.game.Variant)
	known, err := p.process.Set(foreign.OptionVariant, name)
	if err == nil && !known && name != foreign.UsualGame {
		err = fmt.Errorf("%s does not play %s", p.engine.name, name)
	}
	if err == nil {
		_, err = p.process.Set(foreign.OptionChess960, fmt.Sprint(p.engine.shuffled(p.game)))
	}
	if err == nil {
		err = p.process.Send("ucinewgame")
	}
	if err == nil {
		err = p.process.Ready(ctx)
	}
	if errors.Is(err, foreign.ErrExited) && !fresh {
		p.drop() // it died while it waited for a game
		return p.prepare(ctx)
	}
	return err
}

// Choose asks the program. One that died or hangs is started again for the next
// call, which the caller makes if time allows.
func (p *uciPlayer) Choose(ctx context.Context, t Turn) (Choice, error) {
	if p.process == nil {
		p.engine.log.Warn("engine is started again", "game", p.game.ID)
		if err := p.prepare(ctx); err != nil {
			return Choice{}, err
		}
	}
	position, err := p.position(t.Moves)
	if err != nil {
		return Choice{}, err
	}
	cfg := p.engine.cfg
	limit := cfg.Limits.MoveTime.D()
	if t.Clock.Limited {
		limit = max(limit, t.Clock.Mine)
	}
	bounded, cancel := context.WithTimeoutCause(ctx, max(limit, defaultMoveTime)+uciPatience, foreign.ErrHung)
	defer cancel()
	a, err := p.process.Search(bounded, position, uciGo(t, p.game.White, cfg.Limits, cfg.Overhead.D()))
	switch {
	case errors.Is(err, foreign.ErrExited), errors.Is(err, foreign.ErrHung):
		p.drop()
		return Choice{}, fmt.Errorf("engine %s: %w", p.engine.name, err)
	case err != nil:
		return Choice{}, err
	}
	c := Choice{Move: a.Move, Score: a.Score, Depth: a.Depth, Nodes: a.Nodes, Time: a.Time}
	if c.Move == "" {
		return c, ErrNoMove
	}
	return c, nil
}

// position writes the command that sets the position up. With known rules the
// moves are rewritten to the castling form that the program wants.
func (p *uciPlayer) position(moves []string) (string, error) {
	if p.track != nil {
		format := notation.FormatMove
		if p.engine.shuffled(p.game) {
			format = notation.FormatMoveKingRook
		}
		var err error
		if moves, err = p.track.rewrite(moves, format); err != nil {
			return "", err
		}
	}
	b := "position startpos"
	if p.game.FEN != "" {
		b = "position fen " + p.game.FEN
	}
	if len(moves) > 0 {
		b += " moves " + strings.Join(moves, " ")
	}
	return b, nil
}

func (p *uciPlayer) drop() {
	if p.process != nil {
		p.process.Close()
		p.process = nil
	}
}

// Close ends the game's process.
func (p *uciPlayer) Close() error {
	p.drop()
	return nil
}
