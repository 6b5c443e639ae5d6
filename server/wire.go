package server

import (
	"context"
	"errors"
	"log/slog"

	"hoplite/server/account"
	"hoplite/server/admin"
	"hoplite/server/analysis"
	"hoplite/server/archive"
	"hoplite/server/auth"
	"hoplite/server/bus"
	"hoplite/server/catalogue"
	"hoplite/server/challenge"
	"hoplite/server/export"
	"hoplite/server/external"
	"hoplite/server/leave"
	"hoplite/server/lichess"
	"hoplite/server/limits"
	"hoplite/server/live"
	"hoplite/server/lobby"
	"hoplite/server/node"
	"hoplite/server/pairing"
	"hoplite/server/play"
	"hoplite/server/presence"
	"hoplite/server/puzzle"
	"hoplite/server/relation"
	"hoplite/server/report"
	"hoplite/server/standing"
	"hoplite/server/stream"
	"hoplite/server/tv"
	"hoplite/server/ws"
)

// services are the capabilities of a server, put together. They know each other only by small interfaces that the
// user of one declares.
type services struct {
	bus        *bus.Bus
	node       *node.Node // nil without others
	streams    *stream.Hub
	presence   *presence.Tracker
	auth       *auth.Service
	live       *live.Service
	accounts   *account.Service
	relations  *relation.Service
	standing   *standing.Service
	challenges *challenge.Service
	lobby      *lobby.Service
	archive    *archive.Service
	tv         *tv.Service
	analysis   *analysis.Service
	external   *external.Service
	catalogue  *catalogue.Service
	puzzles    *puzzle.Service
	games      *lichess.Games
	play       play.Handlers
	export     export.Handlers
	leave      *leave.Service
	admin      admin.Handlers
	reports    report.Handlers
	sockets    *ws.Server
}

func newServices(ctx context.Context, s *Server) (*services, error) {
	log := func(name string) *slog.Logger { return s.log.With(slog.String("part", name)) }
	store, set := s.deps.Store, s.deps.Variants
	v := &services{
		bus:      bus.New(),
		streams:  stream.NewHub(),
		presence: presence.New(),
		games:    lichess.NewGames(set),
	}
	var err error
	if s.config.Nodes.URL != "" {
		if v.node, err = node.Join(ctx, s.config.Nodes, store, log("node")); err != nil {
			return v, err
		}
	}
	v.auth, err = auth.New(ctx, auth.Config{
		Signup: s.config.Signup, Public: s.config.public(), HTTPS: s.https, Secrets: s.config.Secrets,
		URL: s.base, OIDC: s.config.OIDC,
	}, auth.Deps{Store: store, Bus: v.bus, Streams: v.streams, Mail: s.mailer(), Now: s.now, Log: log("auth")})
	if err != nil {
		return v, err
	}
	v.puzzles = puzzle.New(puzzle.Deps{Store: store, Catalogue: set, Now: s.now, Log: log("puzzles")})
	if v.catalogue, err = catalogue.New(set, v.puzzles, s.now, log("catalogue")); err != nil {
		return v, err
	}
	v.live = live.New(live.Deps{
		Store: store, Catalogue: set, Bus: v.bus, Node: v.node, Now: s.now, Log: log("live"), Watch: s.deps.Metrics.Games(),
	})
	maker := &pairing.Maker{Accounts: store, Games: v.live, Perf: v.games.Perf, Now: s.now}
	v.accounts = account.New(account.Deps{
		Store: store, Games: v.live, Presence: v.presence, Identities: v.auth, URL: s.base, Now: s.now,
	})
	v.relations = relation.New(relation.Deps{
		Store: store, Profiles: v.accounts, Followable: account.Followable, Now: s.now,
		Withdraw: func(ctx context.Context, accountID, otherID string) error {
			return v.challenges.WithdrawBetween(ctx, accountID, otherID)
		},
	})
	v.standing = standing.New(standing.Deps{
		Store: store, Profiles: v.accounts, Presence: v.presence, Games: v.games, URL: s.base, Now: s.now,
	})
	v.challenges = challenge.NewService(challenge.Deps{
		Store: store, Live: v.live, Maker: maker, Games: v.games, Bus: v.bus, Presence: v.presence,
		Settings: account.Preferences, URL: s.base, BotLimits: limits.BotVsBot().Holds(s.mode),
		Now: s.now, Log: log("challenge"),
	})
	v.lobby = lobby.NewService(lobby.Deps{
		Store: store, Maker: maker, Games: v.games, Bus: v.bus, Node: v.node, Now: s.now, Log: log("lobby"),
	})
	v.archive = archive.New(archive.Deps{Store: store, Variants: set, Games: v.games, URL: s.base, Now: s.now})
	v.tv = tv.New(tv.Deps{Store: store, Live: v.live, Vocabulary: v.games, Streams: v.streams, Now: s.now})
	v.analysis = analysis.New(s.config.Analysis, analysis.Deps{
		Store: store, Live: v.live, Games: v.games, Bus: v.bus, Streams: v.streams, Now: s.now, Log: log("analysis"),
	})
	v.external = external.New(s.config.External, external.Deps{
		Store: store, Games: v.games, Bus: v.bus, Streams: v.streams, Shared: v.node != nil, Now: s.now,
	})
	v.sockets = ws.New(ws.Config{URL: s.config.URL, Unlimited: s.mode != limits.Strict}, ws.Deps{
		Live: v.live, Lobby: seekers{v.lobby}, Challenges: challengers{v.challenges, challenge.NewRematches(v.challenges)},
		Presence: v.presence, Blocks: store, Auth: v.auth, Games: v.games, TV: v.tv, Bus: v.bus, Streams: v.streams, Admit: s.admitSocket,
		Now: s.now, Log: log("sockets"),
	})
	v.play = play.NewHandlers(play.Deps{
		Live: v.live, Challenges: v.challenges, Presence: v.presence, Blocks: store, Games: v.games, Bus: v.bus, Streams: v.streams,
		Now: s.now,
	})
	v.export = export.NewHandlers(export.Deps{
		Store: store, Live: v.live, Games: v.games, Channels: v.tv, Bus: v.bus, Streams: v.streams, URL: s.base, Now: s.now,
	})
	v.leave, err = leave.New(ctx, leave.Deps{
		Store: store, Identities: v.auth, Offers: []leave.Withdrawer{v.challenges, v.lobby}, Games: v.live, Records: v.export,
		Now: s.now, Log: log("leave"),
	})
	if err != nil {
		return v, err
	}
	v.admin = admin.NewHandlers(admin.Deps{
		Store: store, Identities: v.auth, Closer: v.leave, State: s.state, URL: s.base, Now: s.now,
	})
	v.reports = report.NewHandlers(store, v.live, s.now)
	v.measure(s.deps.Metrics)
	if v.node != nil {
		err = v.connect(ctx, log)
	}
	return v, err
}

// handlers puts the handlers of the capabilities together.
func (v *services) handlers(s *Server) handlers {
	return handlers{
		accountHandlers:   account.NewHandlers(v.accounts),
		archiveHandlers:   archive.NewHandlers(v.archive),
		authHandlers:      auth.NewHandlers(v.auth, s.indexPage),
		adminHandlers:     v.admin,
		analysisHandlers:  analysis.NewHandlers(v.analysis),
		catalogueHandlers: catalogue.NewHandlers(v.catalogue),
		challengeHandlers: challenge.NewHandlers(v.challenges, v.streams, v.auth),
		exportHandlers:    v.export,
		externalHandlers:  external.NewHandlers(v.external),
		leaveHandlers:     leave.NewHandlers(v.leave),
		lobbyHandlers:     lobby.NewHandlers(v.lobby, v.streams),
		playHandlers:      v.play,
		puzzleHandlers:    puzzle.NewHandlers(v.puzzles),
		relationHandlers:  relation.NewHandlers(v.relations),
		tvHandlers:        tv.NewHandlers(v.tv),
		standingHandlers:  standing.NewHandlers(v.standing),
		reportHandlers:    v.reports,
		selfHandlers:      selfHandlers{s},
	}
}

// job is work that goes on as long as the server runs.
type job struct {
	name string
	run  func(context.Context) error
}

func (v *services) jobs() []job {
	list := []job{
		{"sessions", v.auth.Run},
		{"mail", v.auth.RunMail},
		{"closed accounts", v.leave.Run},
		{"live games", v.live.Run},
		{"challenges", v.challenges.Run},
		{"lobby", v.lobby.Run},
		{"puzzles", v.puzzles.Run},
		{"analysis", v.analysis.Run},
	}
	if v.node != nil {
		list = append(list, job{"node", v.node.Run}, job{"presence", v.presence.Run})
	}
	return list
}

var errGamesClosed = errors.New("the games are not open")

func (v *services) ready(context.Context) error {
	select {
	case <-v.live.Ready():
		return nil
	default:
		return errGamesClosed
	}
}

func (v *services) closeStreams(ctx context.Context) error { return v.streams.Close(ctx) }

func (v *services) close() {
	if v == nil {
		return
	}
	v.bus.Close()
	if v.node != nil {
		v.node.Close()
	}
}

func (v *services) firstRun(ctx context.Context, url string) (string, error) {
	code, err := v.auth.FirstRun(ctx)
	if err != nil || code == "" {
		return "", err
	}
	return auth.FirstRunNotice(url, code), nil
}
