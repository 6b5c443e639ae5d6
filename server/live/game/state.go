package game

import (
	"fmt"
	"slices"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/server/fault"
	"hoplite/server/live/clock"
)

const (
	// MaxPlies is the length at which a game is drawn, as Lichess has it.
	MaxPlies = 600
	// maxChat bounds the lines of one room; later ones are dropped.
	maxChat = 1000
)

// Reasons that only the server gives; the others come from the rules core.
const (
	ReasonNoStart  = "noStart"  // nobody made the first move in time
	ReasonLeft     = "left"     // a player left and the other claimed
	ReasonMaxPlies = "maxPlies" // MaxPlies was reached
)

// State is one game. It belongs to one goroutine at a time.
//
// Apply and Release change it; if the rows of a step cannot be stored, the
// State must be thrown away and rebuilt from the log.
type State struct {
	rules *rules.Rules
	game  *rules.Game

	// cur is the present state; snapshots are copies of it. Its slices are
	// only ever appended to, or replaced.
	cur Snapshot
	// forced says that the clocks run although not both sides have moved.
	forced bool
	// offered is one more than the ply of each player's last draw offer.
	offered PerPlayer[int]
	// answered maps actions with an id to the version of their row.
	answered map[actionKey]uint64
	chatted  map[string]int // lines by room
	gifts    []gift
}

type actionKey struct {
	player int
	id     string
}

// New returns a game as it is created, without any row. The error is a
// *fault.Error if the setup cannot be played.
func New(setup *Setup, r *rules.Rules) (*State, error) {
	if len(setup.Players) != r.Sides() || len(setup.Players) > MaxPlayers {
		return nil, fault.Invalid("This variant needs %d players", r.Sides())
	}
	start, err := setup.Start(r)
	if err != nil {
		return nil, err
	}
	if _, over := start.Outcome(); over {
		return nil, fault.Field("fen", "The game is over in this position")
	}
	s := &State{
		rules:    r,
		game:     rules.NewGame(start),
		answered: make(map[actionKey]uint64),
		chatted:  make(map[string]int, 2),
		cur: Snapshot{
			Setup:      setup,
			Status:     StatusStarted,
			Winner:     rules.NoWinner,
			At:         setup.Created,
			LastMoveAt: setup.Created,
		},
	}
	for i := range setup.Players {
		s.cur.Clocks[i] = setup.Control.Start()
	}
	s.look()
	s.cur.StartFEN = s.cur.FEN
	return s, nil
}

// Rebuild replays a log. The result equals the state that wrote it, except
// that the present turn began when its action arrived, and that who is gone
// and how ratings changed is not in the log: see Resume.
func Rebuild(setup *Setup, r *rules.Rules, rows []Row) (*State, error) {
	s, _, err := replay(setup, r, rows, len(rows))
	return s, err
}

// EventsOf replays a log as Rebuild does and returns the events of its rows
// after the first skip ones, as they were when they happened.
func EventsOf(setup *Setup, r *rules.Rules, rows []Row, skip int) ([]Event, error) {
	_, events, err := replay(setup, r, rows, skip)
	return events, err
}

func replay(setup *Setup, r *rules.Rules, rows []Row, skip int) (*State, []Event, error) {
	s, err := New(setup, r)
	if err != nil {
		return nil, nil, fmt.Errorf("game %s: %w", setup.ID, err)
	}
	var events []Event
	err = s.playRows(rows, func(i int, row *Row, d *rowData) {
		if i >= skip {
			events = append(events, s.eventOf(row, d))
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return s, events, nil
}

// playRows makes stored rows part of the state, and calls played after each.
func (s *State) playRows(rows []Row, played func(i int, row *Row, d *rowData)) error {
	for i := range rows {
		d, err := rows[i].decode()
		if err == nil {
			err = s.evolve(&rows[i], d)
		}
		if err != nil {
			return fmt.Errorf("game %s, row %d (%s): %w", s.cur.ID, s.cur.Version, rows[i].Kind, err)
		}
		played(i, &rows[i], d)
	}
	return nil
}

// Resume sets what the log does not know: when the present turn goes on, and
// how the ratings changed.
func (s *State) Resume(turnStart time.Time, diff PerPlayer[*int]) {
	if !s.cur.Over() {
		s.cur.At = turnStart
	}
	s.cur.RatingDiff = diff
}

// Snapshot returns the present state.
func (s *State) Snapshot() *Snapshot {
	c := s.cur
	return &c
}

// Rules returns the game's rules.
func (s *State) Rules() *rules.Rules { return s.rules }

// Answered returns the version of the row that an earlier action of the player
// with this id made.
func (s *State) Answered(player int, id string) (uint64, bool) {
	if id == "" {
		return 0, false
	}
	v, ok := s.answered[actionKey{player, id}]
	return v, ok
}

// Deadline returns when time alone changes the game: a flag falls, the days
// for a move are over, or the first move is overdue. A Timeout action is due
// then. It returns false if that never happens.
func (s *State) Deadline() (time.Time, bool) { return s.cur.Deadline() }

// Deadline is State.Deadline for the state of the snapshot.
func (s *Snapshot) Deadline() (time.Time, bool) {
	if s.Over() {
		return time.Time{}, false
	}
	switch {
	case s.ClockRunning:
		return s.At.Add(s.Control.Patience(s.Clocks[s.Turn])), true
	case s.Control.Kind == clock.Correspondence:
		return s.At.Add(s.Control.PerMove()), true
	case s.Control.Kind == clock.Unlimited && s.Begun():
		return time.Time{}, false
	}
	return s.At.Add(s.firstMoveTime()), true
}

// How long a side may take for its first move before the game is aborted.
// Nobody waits for a stranger for long; people who know each other may.
const (
	firstMoveLobby     = time.Minute
	firstMoveClock     = 15 * time.Minute
	firstMoveUnlimited = 14 * 24 * time.Hour
)

func (s *Snapshot) firstMoveTime() time.Duration {
	switch {
	case s.Control.Kind == clock.Unlimited:
		return firstMoveUnlimited
	case s.Source == "lobby":
		return firstMoveLobby
	}
	return firstMoveClock
}

// Expiration returns how long a side may take for its first move and when that
// time is over, for games of strangers, whose players are told.
func (s *Snapshot) Expiration() (idle time.Duration, at time.Time, ok bool) {
	if s.Over() || s.ClockRunning || !s.Control.HasClock() || s.Source != "lobby" {
		return 0, time.Time{}, false
	}
	return firstMoveLobby, s.At.Add(firstMoveLobby), true
}

// look brings what depends on the position up to date.
func (s *State) look() {
	p := s.game.Position()
	s.cur.FEN = notation.XFEN(p)
	s.cur.Check = p.InCheck()
	s.cur.Turn = int(p.Turn())
	s.cur.Claims = s.claims()
	s.lookAtSeats()
	if s.rules.Hides() {
		s.cur.seen = s.sights()
	}
}

// evolve makes the row part of the state. It decides nothing, and fails only
// on a log that this program did not write; the state is then unusable.
func (s *State) evolve(row *Row, d *rowData) error {
	c := &s.cur
	c.Version++
	if row.ActionID != "" {
		s.answered[actionKey{row.Player, row.ActionID}] = c.Version
	}
	switch row.Kind {
	case RowMove:
		if err := s.evolveMove(row, d); err != nil {
			return err
		}
	case RowDeclare:
		if err := s.evolveDeclare(d); err != nil {
			return err
		}
	case RowRetire:
		if err := s.evolveRetire(row, d); err != nil {
			return err
		}
	case RowDrawOffer:
		c.DrawOffer[row.Player] = true
		s.offered[row.Player] = len(c.Moves) + 1
	case RowDrawDecline:
		s.keepOnlyOffer(row.Player)
	case RowTakebackOffer:
		c.Takeback[row.Player] = true
	case RowTakebackDecline:
		c.Takeback = PerPlayer[bool]{}
	case RowTakeback:
		if err := s.evolveTakeback(row, d); err != nil {
			return err
		}
	case RowConditional:
		c.Conditional[row.Player] = d.Lines
	case RowMute:
		c.Muted[row.Player] = d.On
	case RowAddTime:
		s.gifts = append(s.gifts, gift{row.Player, len(c.Moves), time.Duration(d.Seconds) * time.Second})
		for i := range c.Players {
			if i != row.Player {
				c.Clocks[i] += time.Duration(d.Seconds) * time.Second
			}
		}
	case RowStartClocks:
		s.forced = true
		c.ClockRunning = true
		c.At = row.At
	case RowChat:
		c.chat = append(c.chat, ChatLine{Room: d.Room, Username: d.User, Text: d.Text, At: row.At})
		s.chatted[d.Room]++
	case RowRematch:
		c.Rematch = d.Game
	case RowEnd:
		if d.End == nil {
			return fmt.Errorf("no result in the row")
		}
	default:
		return fmt.Errorf("unknown kind of row")
	}
	if d.End != nil {
		s.evolveEnd(row, d)
	}
	return nil
}

func (s *State) evolveMove(row *Row, d *rowData) error {
	c := &s.cur
	if d.parsed == 0 {
		// A row from the store: the live path has played the move already.
		m, err := notation.ParseMove(s.game.Position(), d.Move)
		if err != nil {
			return err
		}
		if err := s.game.Play(m); err != nil {
			return err
		}
	}
	if d.Offer {
		c.DrawOffer[row.Player] = true
		s.offered[row.Player] = len(c.Moves) + 1
	}
	// An offer lives until the other side moves; a proposal to take back is
	// about the position before this move.
	s.keepOnlyOffer(row.Player)
	c.Takeback = PerPlayer[bool]{}
	c.foresee(d.Move)
	c.Moves = append(c.Moves, d.Move)
	c.Movers = append(c.Movers, uint8(c.Turn))
	c.LastMove = d.Move
	c.LastMoveAt = row.At
	if d.Clocks != nil {
		c.Clocks = durations(d.Clocks)
		c.ClockHistory = append(c.ClockHistory, c.Clocks[c.Turn])
	}
	s.startTurn(row.At)
	return nil
}

// keepOnlyOffer forgets the draw offers of everybody but the player.
func (s *State) keepOnlyOffer(player int) {
	mine := s.cur.DrawOffer[player]
	s.cur.DrawOffer = PerPlayer[bool]{}
	s.cur.DrawOffer[player] = mine
}

func (s *State) evolveTakeback(row *Row, d *rowData) error {
	c := &s.cur
	n := len(c.Moves) - d.Plies
	if n < 0 || d.Plies < 1 {
		return fmt.Errorf("cannot take back %d plies", d.Plies)
	}
	for undone := 0; undone < d.Plies; {
		moves := s.game.Moves()
		if last := moves[len(moves)-1]; last.Kind().IsMove() {
			undone++
		}
		s.game.Undo()
	}
	for i, declared := range c.Declared {
		if declared.Ply > n {
			c.Declared = slices.Clone(c.Declared[:i])
			break
		}
	}
	// The old arrays belong to older snapshots.
	c.Moves = slices.Clone(c.Moves[:n])
	c.Movers = slices.Clone(c.Movers[:n])
	if d.Clocks != nil {
		c.Clocks = durations(d.Clocks)
		c.ClockHistory = slices.Clone(c.ClockHistory[:n])
	}
	c.LastMove = ""
	if n > 0 {
		c.LastMove = c.Moves[n-1]
	}
	c.DrawOffer, c.Takeback, c.Conditional = PerPlayer[bool]{}, PerPlayer[bool]{}, [2][]string{}
	for i := range s.offered {
		s.offered[i] = min(s.offered[i], n+1)
	}
	for i := range s.gifts {
		s.gifts[i].plies = min(s.gifts[i].plies, n)
	}
	s.startTurn(row.At)
	return nil
}

func (s *State) startTurn(at time.Time) {
	c := &s.cur
	c.At = at
	s.look()
	c.ClockRunning = c.Control.HasClock() && (s.forced || c.Begun())
}

func (s *State) evolveEnd(row *Row, d *rowData) {
	c := &s.cur
	c.Status, c.Winner, c.Reason = d.End.Status, d.End.Winner, d.End.Reason
	c.Places = d.End.Places
	if d.Clocks != nil {
		c.Clocks = durations(d.Clocks)
	}
	c.ClockRunning, c.Claims, c.Conditional = false, nil, [2][]string{}
	c.At = row.At
	c.DrawOffer, c.Takeback, c.Gone = PerPlayer[bool]{}, PerPlayer[bool]{}, PerPlayer[GoneState]{}
	if row.Kind != RowMove {
		c.LastMoveAt = row.At
	}
}
