package server

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/auth"
	"hoplite/server/limits"
)

// selfHandlers answers what is about the server itself.
type selfHandlers struct{ s *Server }

// Healthz says that the server is up. It asks nobody else: a server whose database is lost still answers.
func (h selfHandlers) Healthz(context.Context, api.HealthzRequestObject) (api.HealthzResponseObject, error) {
	return api.Healthz200JSONResponse{Status: openapi.HealthStatusOk, Version: h.s.config.Version}, nil
}

// ServerInfo says what a page needs to know before anybody has logged in.
func (h selfHandlers) ServerInfo(ctx context.Context, _ api.ServerInfoRequestObject) (api.ServerInfoResponseObject, error) {
	mode, err := h.s.services.auth.SignupMode(ctx)
	return api.ServerInfo200JSONResponse{
		Version: h.s.config.Version, Signup: openapi.ServerInfoSignup(mode), Mail: h.s.services.auth.SendsMail(),
		Oidc: h.s.services.auth.OIDCName(),
	}, err
}

// LimitList lists the limits.
func (h selfHandlers) LimitList(context.Context, api.LimitListRequestObject) (api.LimitListResponseObject, error) {
	byName := map[string]*openapi.LimitRule{}
	add := func(use limits.Use, operation string) {
		rule := byName[use.Rule.Name]
		if rule == nil {
			rule = &openapi.LimitRule{
				Name: use.Rule.Name, Most: use.Rule.Burst, Per: int(use.Rule.Per / time.Second), InForce: use.Rule.Holds(h.s.mode),
				Counts: openapi.LimitRuleCounts(use.Who.String()), Operations: []string{},
			}
			if use.Lasting {
				rule.Per = 0
			}
			byName[use.Rule.Name] = rule
		}
		if operation != "" {
			rule.Operations = append(rule.Operations, operation)
		}
	}
	for operation, uses := range h.s.uses {
		for _, use := range uses {
			add(use, operation)
		}
	}
	add(limits.Use{Rule: limits.Sockets(), Who: limits.PerAddress, Lasting: true}, "")
	add(limits.Use{Rule: limits.BotVsBot(), Who: limits.PerCaller}, "challengeCreate")
	add(limits.Use{Rule: limits.BotVsBot(), Who: limits.PerCaller}, "challengeAccept")
	add(limits.Use{Rule: limits.BotVsEngine(), Who: limits.PerCaller}, "challengeAi")
	for _, r := range auth.Limits() {
		add(limits.Use{Rule: limits.Rule{Name: r.Name, Burst: r.Most, Per: r.Per, Guards: true}, Who: limits.PerCaller}, "login")
	}
	list := make(api.LimitList200JSONResponse, 0, len(byName))
	for _, rule := range byName {
		slices.Sort(rule.Operations)
		list = append(list, *rule)
	}
	slices.SortFunc(list, func(a, b openapi.LimitRule) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// state is what the server knows of itself, for administrators.
func (s *Server) state(ctx context.Context) (openapi.AdminState, error) {
	mode, err := s.services.auth.SignupMode(ctx)
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return openapi.AdminState{
		Version: s.config.Version, URL: s.base, Started: s.started.UnixMilli(), Now: s.now().UnixMilli(),
		Limits: openapi.AdminStateLimits(s.mode), Signup: openapi.AdminStateSignup(mode), Mail: s.services.auth.SendsMail(),
		Oidc:      s.services.auth.OIDCName(),
		GoVersion: runtime.Version(), Goroutines: runtime.NumGoroutine(), Memory: int64(memory.HeapAlloc),
		Online: len(s.services.presence.OnlineIDs()), Games: s.services.live.InMemory(), Streams: s.services.streams.Open(),
	}, err
}
