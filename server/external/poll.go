package external

import (
	"context"
	"slices"
	"time"

	"hoplite/openapi"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/stream"
)

// poll is a provider that waits for work.
type poll struct {
	s       *Service
	id      string
	asked   string   // the work that it has claimed, "" if none
	heard   []string // other work that it has heard of
	closing bool     // it waits for an answer to its claim only
}

// acquire waits for work of a provider, nil if there is none.
func (s *Service) acquire(ctx context.Context, secret string) (*openapi.ExternalEngineJob, error) {
	provider := provider(secret)
	known, err := s.Store.HasProvider(ctx, provider)
	if err != nil {
		return nil, err
	}
	if !known {
		return nil, fault.NotFound("No engine is registered with this secret")
	}
	if s.polls.Add(1) > maxPolls || s.Bus.Subscribers(wantedTopic(provider)) >= maxProviderPolls {
		s.polls.Add(-1)
		return nil, fault.Limited("engine.polls", s.config.Poll, "Too many providers are waiting. Please try again later.")
	}
	defer s.polls.Add(-1)
	ctx, leave := s.Streams.Enter(ctx, stream.Owner{}, "")
	defer leave()

	p := &poll{s: s, id: lichess.RandomText(idOfWork)}
	own := s.Bus.Subscribe(providerTopic(p.id), mailbox)
	defer own.Close()
	wanted := s.Bus.Subscribe(wantedTopic(provider), mailbox)
	defer wanted.Close()
	over := time.NewTimer(s.config.Poll)
	defer over.Stop()
	answer := time.NewTimer(answerTime)
	defer answer.Stop()
	s.Bus.Publish(idleTopic(provider), Idle{p.id})
	for {
		var ev any
		ok := true
		select {
		case <-ctx.Done():
			return nil, nil
		case <-over.C:
			p.closing = true
		case <-answer.C:
			p.asked = "" // it was lost, or came too late
		case ev, ok = <-own.C:
		case ev, ok = <-wanted.C:
		}
		if n, is := ev.(ToProvider); is {
			if n.Job != nil {
				return n.Job, nil
			}
			p.hear(n)
		}
		if !ok || p.closing && p.asked == "" {
			return nil, nil
		}
		if p.next() {
			answer.Reset(answerTime)
		}
	}
}

// hear notes what work says.
func (p *poll) hear(n ToProvider) {
	switch {
	case n.Taken != "" && n.Taken == p.asked:
		p.asked = ""
	case n.Wanted != "" && n.Wanted != p.asked && len(p.heard) < mailbox && !slices.Contains(p.heard, n.Wanted):
		p.heard = append(p.heard, n.Wanted)
	}
}

// next claims the work that has waited longest, one at a time: what is claimed in vain has to wait.
func (p *poll) next() bool {
	if p.asked != "" || p.closing || len(p.heard) == 0 {
		return false
	}
	p.asked, p.heard = p.heard[0], p.heard[1:]
	p.s.Bus.Publish(workTopic(p.asked), ToWork{Claim: p.id})
	return true
}
