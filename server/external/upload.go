package external

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"hoplite/openapi"
	"hoplite/server/api"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/stream"
)

var errNoWork = fault.NotFound("No such work, or nobody waits for it any more")

// upload is what a provider says of some work.
type upload struct {
	s    *Service
	id   string
	work string
	body *api.Upload
	own  *bus.Subscription
	told time.Time
}

// submit reads what an engine says until its end, or until nobody wants it.
func (s *Service) submit(ctx context.Context, id string, body *api.Upload) error {
	defer body.Finish()
	ctx, leave := s.Streams.Enter(ctx, stream.Owner{}, "")
	defer leave()
	u := &upload{s: s, id: lichess.RandomText(idOfWork), work: id, body: body}
	u.own = s.Bus.Subscribe(providerTopic(u.id), mailbox)
	defer u.own.Close()
	asked, err := u.begin(ctx)
	if err != nil {
		return err
	}
	defer s.Bus.Publish(workTopic(id), ToWork{End: u.id})
	line, err := s.line(asked)
	if err != nil {
		return err // another version of the rules, on another node
	}
	return u.follow(ctx, newFinder(line.Game.Position(), asked.MultiPv))
}

// begin asks what the work is.
func (u *upload) begin(ctx context.Context) (*openapi.ExternalEngineWork, error) {
	topic := workTopic(u.work)
	if u.s.Bus.Subscribers(topic) == 0 && !u.s.Shared {
		return nil, errNoWork
	}
	u.s.Bus.Publish(topic, ToWork{Begin: u.id})
	answer := time.NewTimer(answerTime)
	defer answer.Stop()
	select {
	case ev := <-u.own.C:
		if n, ok := ev.(ToProvider); ok && n.Begun != nil {
			return n.Begun, nil
		}
	case <-answer.C:
	case <-ctx.Done():
	}
	return nil, errNoWork
}

// follow tells the work what the lines say.
func (u *upload) follow(ctx context.Context, f *finder) error {
	var reader sync.WaitGroup
	defer reader.Wait()
	defer u.body.Finish() // so that the reader does not wait for more
	lines, failed, done := make(chan string), make(chan error, 1), make(chan struct{})
	defer close(done)
	u.body.Until(time.Now().Add(quiet))
	reader.Go(func() { failed <- scan(u.body, lines, done) })
	later := time.NewTimer(tellEvery)
	defer later.Stop()
	for over := false; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-u.own.C: // it says that it is over, or the server ends
			return nil
		case <-later.C:
			u.tell(f)
		case line := <-lines:
			if over {
				continue
			}
			if over = f.read(line); over {
				u.tell(f)
				u.s.Bus.Publish(workTopic(u.work), ToWork{End: u.id})
				u.body.Until(time.Now().Add(parting))
				continue
			}
			u.body.Until(time.Now().Add(quiet))
			if !f.fresh {
				continue
			}
			if wait := tellEvery - time.Since(u.told); wait > 0 || !f.complete {
				later.Reset(max(wait, tellEvery/2))
				continue
			}
			u.tell(f)
		case err := <-failed:
			u.tell(f)
			if over {
				return nil
			}
			return err
		}
	}
}

// tell tells the work what is new.
func (u *upload) tell(f *finder) {
	if !f.fresh {
		return
	}
	found := f.take()
	u.told = time.Now()
	u.s.Bus.Publish(workTopic(u.work), ToWork{Found: &found})
}

// scan sends the lines of a body until its end, or until nobody takes them. A body that breaks off has ended: what a
// provider says is good line by line.
func scan(body io.Reader, lines chan<- string, done <-chan struct{}) error {
	limited := &io.LimitedReader{R: body, N: maxUpload}
	scanner := bufio.NewScanner(limited)
	scanner.Buffer(make([]byte, 0, 4<<10), maxLine)
	for scanner.Scan() {
		select {
		case lines <- scanner.Text():
		case <-done:
			return nil
		}
	}
	switch {
	case errors.Is(scanner.Err(), bufio.ErrTooLong):
		return fault.Invalid("A line has more than %d bytes", maxLine)
	case limited.N == 0:
		return fault.TooLarge("An answer has at most %d bytes", maxUpload)
	}
	return nil
}
