package lobby

import (
	"context"
	"errors"

	"hoplite/openapi/frames"
	"hoplite/server/bus"
	"hoplite/server/fault"
	"hoplite/server/lichess"
	"hoplite/server/live/clock"
	"hoplite/store"
)

// Topic is the bus topic of what changes in the lobby: it carries
// [frames.LobbySeek] and [frames.SeekGone].
const Topic = "lobby"

const (
	// watchBuffer is how many changes a reader of the lobby may be behind.
	watchBuffer = 1024
	// slowShown is how many correspondence seeks the lobby shows.
	slowShown = 100
)

// tell and tellGone publish a change. For seeks with a clock mu is held, so that
// the order is that of the changes.
func (s *Service) tell(seek *Seek) {
	if !seek.Quick {
		s.Bus.Publish(Topic, s.shown(seek))
	}
}

func (s *Service) tellGone(seek *Seek) {
	if !seek.Quick {
		s.Bus.Publish(Topic, frames.SeekGone{ID: seek.ID})
	}
}

// Watch returns the open seeks, and every later change. A change may also be in
// the list already. The caller must close the subscription.
func (s *Service) Watch(ctx context.Context) ([]frames.LobbySeek, *bus.Subscription, error) {
	list, sub, err := s.list(ctx)
	if err != nil {
		return nil, nil, err
	}
	stored, err := s.Store.Seeks(ctx, "", s.Now(), slowShown)
	for _, row := range stored {
		seek := slowSeek(row)
		if err = s.seeker(ctx, &seek); errors.Is(err, store.ErrNotFound) {
			err = nil
			continue
		}
		if err != nil {
			break
		}
		seek.ID, seek.Created = row.ID, row.Created
		list = append(list, s.shown(&seek))
	}
	if err != nil {
		sub.Close()
		return nil, nil, err
	}
	return list, sub, nil
}

// shown is a seek as everybody may see it.
func (s *Service) shown(seek *Seek) frames.LobbySeek {
	name := s.Games.VariantName(seek.Variant)
	return frames.LobbySeek{
		ID: seek.ID,
		Player: frames.Player{
			ID: seek.Account, Name: seek.Name, Title: seek.Title, Rating: seek.Rating, Provisional: seek.Provisional,
		},
		Variant: frames.Variant{Key: name.Key, Name: name.Name, Short: name.Short},
		Control: lichess.Control(seek.Control), Speed: string(seek.Control.Speed()), Rated: seek.Rated,
		Color: seek.Color.String(), Min: seek.MinRating, Max: seek.MaxRating, Created: seek.Created.UnixMilli(),
	}
}

// Ask looks for an opponent on terms that came over a socket, with any clock.
// The account's earlier seek with a clock makes room. Wait is over at once for
// correspondence seeks, which outlive the socket.
func (s *Service) Ask(ctx context.Context, account string, f frames.Seek) (Wait, error) {
	seek, bad := s.readFrame(f)
	if len(bad) > 0 {
		return Wait{}, &fault.Error{Kind: fault.KindInvalid, Fields: bad}
	}
	seek.Account = account
	if !seek.Control.HasClock() {
		id, game, err := s.SeekSlow(ctx, seek)
		over := make(chan struct{})
		close(over)
		return Wait{ID: id, Game: game, Done: over, Cancel: func() {}}, err
	}
	if err := s.Withdraw(ctx, account, ""); err != nil {
		return Wait{}, err
	}
	return s.Seek(ctx, seek)
}

// unquick says why a seek cannot be a quick one, if it asks for that.
func (s *Seek) unquick(days int) string {
	switch {
	case !s.Quick:
	case days != 0:
		return "goes with a clock, not with days"
	case s.MinRating != 0 || s.MaxRating != 0:
		return "finds the ratings by itself"
	}
	return ""
}

func (s *Service) readFrame(f frames.Seek) (Seek, map[string][]string) {
	bad := map[string][]string{}
	add := func(field, text string) { bad[field] = append(bad[field], text) }
	seek := Seek{
		Variant: f.Variant, Rated: f.Rated, Color: ParseColor(f.Color), MinRating: f.Min, MaxRating: f.Max, Quick: f.Quick,
	}
	if seek.Variant == "" {
		seek.Variant = s.Games.Usual()
	}
	if _, ok := s.Games.Rules(seek.Variant); !ok || s.Games.Anywhere(seek.Variant) {
		add("variant", "unknown variant")
	}
	if f.Color != "" && f.Color != seek.Color.String() {
		add("color", "must be white, black or random")
	}
	if f.Min < 0 || f.Max < 0 || f.Max > 0 && f.Min > f.Max {
		add("min", "must not be above max")
	}
	if text := seek.unquick(f.Days); text != "" {
		add("quick", text)
	}
	special := f.Delay != 0 || f.Byoyomi != 0 || f.Periods != 0
	switch {
	case f.Limit == nil && f.Increment == nil && !special:
		seek.Control = clock.NewCorrespondence(f.Days)
		if !clock.ValidDays(f.Days) {
			add("days", "must be 1, 2, 3, 5, 7, 10 or 14")
		}
	case (f.Limit == nil || f.Increment == nil) && !special:
		add("limit", "limit and increment come together")
	default:
		var err error
		seek.Control, err = clock.Form{
			Limit: f.Limit, Increment: f.Increment, Delay: f.Delay, Byoyomi: f.Byoyomi, Periods: f.Periods,
		}.Control()
		if wrong, ok := errors.AsType[*clock.ControlError](err); ok {
			field := seekField(wrong.Field)
			if field == "clock" {
				field = "limit"
			}
			add(field, wrong.Text)
		}
	}
	if !s.Games.BySpeed(seek.Variant) && seek.Control.Speed() == clock.UltraBullet {
		seek.Rated = false // as a challenge would make it
	}
	if seek.Rated && !s.Games.BySpeed(seek.Variant) && !seek.Control.HasClock() {
		add("rated", "A game without a clock can't be rated")
	}
	return seek, bad
}

// withdraw ends the account's seeks with a clock.
func (s *Service) withdraw(account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		id := s.book.idOf(account)
		if id == "" {
			return
		}
		s.end(id)
	}
}

// withdrawHere is Withdraw where the book is.
func (s *Service) withdrawHere(ctx context.Context, account, id string) error {
	if id == "" {
		s.withdraw(account)
		return nil
	}
	s.mu.Lock()
	if seek := s.book.get(id); seek != nil && seek.Account == account {
		s.end(id)
		s.mu.Unlock()
		return nil
	}
	s.mu.Unlock()
	stored, err := s.Store.SeekByID(ctx, id)
	if err == nil && stored.AccountID != account {
		err = store.ErrNotFound
	}
	if err == nil {
		_, err = s.Store.TakeSeek(ctx, id)
	}
	if errors.Is(err, store.ErrNotFound) {
		return errNoSeek()
	}
	if err != nil {
		return err
	}
	s.tellGone(&Seek{ID: id})
	return nil
}

func errNoSeek() error { return fault.NotFound("No such seek") }

// joinHere is Join where the book is.
func (s *Service) joinHere(ctx context.Context, account, id string) (game string, err error) {
	s.mu.Lock()
	found := s.book.get(id)
	s.mu.Unlock()
	if found == nil || found.Quick {
		return s.joinSlow(ctx, account, id)
	}
	mine, err := s.answer(ctx, account, found)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	if !s.book.remove(id) {
		s.mu.Unlock()
		return "", errNoSeek() // somebody was faster
	}
	s.tellGone(found)
	s.mu.Unlock()
	game, err = s.pair(ctx, found, mine)
	if err != nil {
		s.restore(found)
		return "", err
	}
	s.cancel(id)
	if game == "" {
		return "", errNoSeek()
	}
	s.withdraw(account)
	return game, nil
}

// answer is the seek of an account that takes another one.
func (s *Service) answer(ctx context.Context, account string, to *Seek) (*Seek, error) {
	mine := &Seek{Account: account, Variant: to.Variant, Control: to.Control, Rated: to.Rated, Color: Random}
	if account == to.Account {
		return nil, fault.Invalid("This is your own seek")
	}
	if err := s.looker(ctx, mine); err != nil {
		return nil, err
	}
	if mine.avoids[to.Account] {
		return nil, fault.Invalid("You cannot play against this player")
	}
	if !to.fits(mine) {
		return nil, fault.Invalid("Your rating is not in the range that this seek asks for")
	}
	return mine, nil
}

func (s *Service) joinSlow(ctx context.Context, account, id string) (game string, err error) {
	stored, err := s.Store.SeekByID(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return "", errNoSeek()
	}
	if err != nil {
		return "", err
	}
	to := slowSeek(stored)
	mine, err := s.answer(ctx, account, &to)
	if err != nil {
		return "", err
	}
	s.slow.Lock()
	defer s.slow.Unlock()
	game, err = s.takeSlow(ctx, stored, mine)
	if err == nil && game == "" {
		err = errNoSeek()
	}
	return game, err
}
