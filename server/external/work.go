package external

import (
	"context"
	"crypto/subtle"
	"slices"
	"time"

	"hoplite/engine/notation"
	"hoplite/engine/rules"
	"hoplite/openapi"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/stream"
	"hoplite/store"
)

// idOfWork is so long that nobody guesses it: whoever knows it may answer.
const idOfWork = 16

// work is an analysis that a client waits for.
type work struct {
	s      *Service
	id     string
	engine store.ExternalEngine
	asked  openapi.ExternalEngineWork

	poll   string // that it was given to, until its upload begins
	upload string // that answers it
}

// ask checks what a client asks an engine for.
func (s *Service) ask(ctx context.Context, engineID string, form *openapi.ExternalEngineAnalyseForm) (*work, error) {
	e, err := s.Store.EngineByID(ctx, engineID)
	if err != nil {
		return nil, absent(err)
	}
	if subtle.ConstantTimeCompare([]byte(e.ClientSecret), []byte(form.ClientSecret)) != 1 {
		return nil, fault.Forbidden("The client secret is not that of the engine")
	}
	asked := form.Work
	if asked.Movetime == 0 && asked.Depth == 0 && asked.Nodes == 0 {
		return nil, fault.Field("work", "needs one of movetime, depth and nodes")
	}
	line, err := s.line(&asked)
	if err != nil {
		return nil, err
	}
	asked.Variant = called(line.Game.Position().Rules())
	if !slices.Contains(e.Variants, asked.Variant) {
		return nil, fault.Field("work.variant", "is none that the engine knows")
	}
	asked.InitialFen = notation.XFEN(line.Game.Start())
	asked.Moves = forPrograms(line.Game)
	asked.Threads, asked.Hash = min(asked.Threads, e.MaxThreads), min(asked.Hash, e.MaxHash)
	return &work{s: s, id: lichess.RandomText(idOfWork), engine: e, asked: asked}, nil
}

// line plays what is to be analysed by the rules. Programs have one name for a game and for its shuffled form, whose
// positions the plain rules may not know.
func (s *Service) line(asked *openapi.ExternalEngineWork) (lichess.Line, error) {
	r, ok := s.Games.RulesByProgram(asked.Variant)
	if !ok {
		return lichess.Line{}, fault.Field("work.variant", "unknown variant "+asked.Variant)
	}
	if err := lichess.Analysable(r); err != nil {
		return lichess.Line{}, err
	}
	read := func(r *rules.Rules) (lichess.Line, error) {
		return lichess.ReadLine(r, asked.InitialFen, asked.Moves, "work.initialFen", "work.moves")
	}
	line, err := read(r)
	if err != nil {
		if shuffled, ok := s.Games.ShuffledForm(r); ok {
			if other, e := read(shuffled); e == nil {
				return other, nil
			}
		}
	}
	return line, err
}

// forPrograms writes the moves of a game as Lichess gives them to programs: castling as king takes rook.
func forPrograms(g *rules.Game) []string {
	p := g.Start().Clone()
	texts := make([]string, 0, len(g.Moves()))
	var u rules.Undo
	for _, m := range g.Moves() {
		texts = append(texts, notation.FormatMoveKingRook(p, m))
		p.Make(m, &u)
	}
	return texts
}

// run sees to the work until it is done, or nobody wants it any more.
func (w *work) run(ctx context.Context, out *stream.Writer) error {
	mail := w.s.Bus.Subscribe(workTopic(w.id), mailbox)
	defer mail.Close()
	idle := w.s.Bus.Subscribe(idleTopic(w.engine.Provider), mailbox)
	defer idle.Close()
	removed := w.s.Bus.Subscribe(engineTopic(w.engine.ID), 1)
	defer removed.Close()
	defer w.dismiss()

	end := time.NewTimer(w.s.config.Wait)
	defer end.Stop()
	begin := time.NewTimer(w.s.config.Begin)
	defer begin.Stop()
	begin.Stop()
	alive := time.NewTicker(stream.KeepAlive)
	defer alive.Stop()
	w.seek()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-removed.C:
			return nil
		case <-end.C: // nobody took it, or it went on for too long
			return nil
		case <-begin.C: // who took it is gone
			w.poll = ""
			w.seek()
		case ev, ok := <-idle.C:
			if !ok {
				return idle.Err()
			}
			if i, ok := ev.(Idle); ok && w.free() {
				w.s.Bus.Publish(providerTopic(i.Poll), ToProvider{Wanted: w.id})
			}
		case ev, ok := <-mail.C:
			n, known := ev.(ToWork)
			switch {
			case !ok:
				return mail.Err()
			case !known:
			case n.Claim != "" && w.give(n.Claim):
				begin.Reset(w.s.config.Begin)
			case n.Begin != "" && w.start(n.Begin):
				begin.Stop()
				end.Reset(longest)
			case n.Found != nil:
				if err := out.Send(n.Found); err != nil {
					return err
				}
			case n.End != "" && n.End == w.upload:
				w.upload = ""
				return nil
			}
		case <-alive.C:
			if err := out.Blank(); err != nil {
				return err
			}
		}
	}
}

func (w *work) free() bool { return w.poll == "" && w.upload == "" }

// seek tells the providers that wait.
func (w *work) seek() {
	w.s.Bus.Publish(wantedTopic(w.engine.Provider), ToProvider{Wanted: w.id})
}

// give gives the work to a poll, if nobody has it.
func (w *work) give(poll string) bool {
	if !w.free() {
		w.s.Bus.Publish(providerTopic(poll), ToProvider{Taken: w.id})
		return false
	}
	w.poll = poll
	w.s.Bus.Publish(providerTopic(poll), ToProvider{Job: &openapi.ExternalEngineJob{
		ID: w.id, Work: w.asked, Engine: shown(w.engine),
	}})
	return true
}

// start lets an upload answer the work, if none does. Who was late with it may begin as long as nobody else has.
func (w *work) start(upload string) bool {
	if w.upload != "" {
		w.s.Bus.Publish(providerTopic(upload), ToProvider{Over: true})
		return false
	}
	w.poll, w.upload = "", upload
	w.s.Bus.Publish(providerTopic(upload), ToProvider{Begun: &w.asked})
	return true
}

// dismiss tells whoever answers that nobody listens.
func (w *work) dismiss() {
	if w.upload != "" {
		w.s.Bus.Publish(providerTopic(w.upload), ToProvider{Over: true})
	}
}
