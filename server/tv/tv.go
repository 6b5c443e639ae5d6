// Package tv picks the running games that are worth a look, channel by channel,
// and shows them as they are played.
package tv

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"hoplite/openapi"
	"hoplite/openapi/frames"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/server/stream"
	"hoplite/store"
)

// The channels that are neither a speed nor a variant.
const (
	Best     = "best"     // the strongest people
	Bot      = "bot"      // games with bots
	Computer = "computer" // games with the server's engine
)

// MaxGames is how many games a channel has at most.
const MaxGames = 30

// fresh is how long what was read of the running games holds.
const fresh = 2 * time.Second

// Store is what TV reads.
type Store interface {
	LiveGames(ctx context.Context, each int) ([]store.Game, error)
}

// Live is what TV needs of the games being played.
type Live interface {
	Subscribe(ctx context.Context, gameID string) (*game.Snapshot, *bus.Subscription, error)
}

// Deps is what a Service needs; all fields are required.
type Deps struct {
	Store      Store
	Live       Live
	Vocabulary *lichess.Games
	Streams    *stream.Hub
	Now        func() time.Time
}

// Service knows the channels. What is on them is decided by the store alone,
// so that every node shows the same.
type Service struct {
	Deps
	mu    sync.Mutex // held while the games are read, so that one reads for all
	games []store.Game
	read  time.Time
}

// New returns a service.
func New(d Deps) *Service { return &Service{Deps: d} }

// running returns the running games, the strongest first.
func (s *Service) running(ctx context.Context) ([]store.Game, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := s.Now(); s.read.IsZero() || now.Sub(s.read) >= fresh || now.Before(s.read) {
		games, err := s.Store.LiveGames(ctx, MaxGames)
		if err != nil {
			return nil, err
		}
		s.games, s.read = games, now
	}
	return s.games, nil
}

// Games returns the games on a channel, the strongest first. It returns
// fault.NotFound for a channel that does not exist.
func (s *Service) Games(ctx context.Context, channel string) ([]store.Game, error) {
	if channel != Best && channel != Bot && channel != Computer && !s.isPerf(channel) {
		return nil, fault.NotFound("No such channel")
	}
	all, err := s.running(ctx)
	if err != nil {
		return nil, err
	}
	var list []store.Game
	for _, g := range all {
		if slices.Contains(channelsOf(&g), channel) && len(list) < MaxGames {
			list = append(list, g)
		}
	}
	return list, nil
}

// isPerf says whether a channel is that of a speed or a variant.
func (s *Service) isPerf(channel string) bool {
	return channel != string(clock.CorrespondenceSpeed) && s.Vocabulary.IsPerf(channel)
}

// channelsOf lists the channels that a game is on.
func channelsOf(g *store.Game) []string {
	bot := false
	for _, p := range g.Players {
		if p.AILevel > 0 {
			return []string{Computer}
		}
		bot = bot || p.Title == "BOT"
	}
	if bot {
		return []string{Bot}
	}
	return []string{Best, g.Perf}
}

// featured returns the first game of every channel that has one, and how many
// there are.
func (s *Service) featured(ctx context.Context) (first map[string]*store.Game, games map[string]int, err error) {
	all, err := s.running(ctx)
	if err != nil {
		return nil, nil, err
	}
	first, games = make(map[string]*store.Game), make(map[string]int)
	for i := range all {
		for _, c := range channelsOf(&all[i]) {
			if games[c]++; first[c] == nil {
				first[c] = &all[i]
			}
		}
	}
	return first, games, nil
}

// strongest is the seat of the player with the highest rating.
func strongest(players []store.GamePlayer) int {
	best := 0
	for i, p := range players {
		if p.Rating > players[best].Rating {
			best = i
		}
	}
	return best
}

// Channels returns the channels that have a game, as the websocket shows them:
// the three of all games first, then the others by name.
func (s *Service) Channels(ctx context.Context) ([]frames.TVChannel, error) {
	first, games, err := s.featured(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]frames.TVChannel, 0, len(first))
	for channel, g := range first {
		seat := strongest(g.Players)
		p := g.Players[seat]
		shown := frames.Player{ID: p.AccountID, Name: p.Name, Title: p.Title, Rating: p.Rating, Provisional: p.Provisional}
		list = append(list, frames.TVChannel{
			Channel: channel, Name: s.name(channel), Game: g.ID, Player: shown, Seat: seat, Games: games[channel],
		})
	}
	rank := func(c frames.TVChannel) int {
		if i := slices.Index([]string{Best, Bot, Computer}, c.Channel); i >= 0 {
			return i
		}
		return 3
	}
	slices.SortFunc(list, func(a, b frames.TVChannel) int {
		if c := rank(a) - rank(b); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	return list, nil
}

func (s *Service) name(channel string) string {
	switch channel {
	case Best:
		return "Best"
	case Bot:
		return "Bots"
	case Computer:
		return "Computer"
	}
	return s.Vocabulary.PerfName(channel).Name
}

func lightUser(p store.GamePlayer) openapi.LightUser {
	return openapi.LightUser{ID: p.AccountID, Name: p.Name, Title: openapi.Title(p.Title)}
}
