package leave

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"net/http"
	"strings"
	"time"

	"hoplite/server/audit"
	"hoplite/server/live/game"
	"hoplite/server/stream"
	"hoplite/store"
)

// Records hands out games.
type Records interface {
	// EachPGN calls f with every game of an account, oldest first, until f returns an error.
	EachPGN(ctx context.Context, accountID string, f func(gameID, pgn string) error) error
	ChatLog(ctx context.Context, gameID, room string) ([]game.ChatLine, error)
}

const partBytes = 32 << 10

// zipped is a file that is made while it is sent, so that it takes no room here.
type zipped struct {
	name  string
	parts iter.Seq2[string, error]
}

// VisitAccountExportResponse writes the file.
func (z zipped) VisitAccountExportResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", z.name))
	return stream.Text{ContentType: "application/zip", Parts: z.parts}.Visit(w)
}

// Export returns everything about an account as a ZIP file. What can be refused is refused before it begins.
func (s *Service) Export(ctx context.Context, accountID string) (zipped, error) {
	about, err := s.about(ctx, accountID)
	if err != nil {
		return zipped{}, err
	}
	now := s.Now()
	if err := audit.Add(ctx, s.Store, now, audit.Exported, accountID, ""); err != nil {
		return zipped{}, err
	}
	return zipped{
		name: "hoplite-" + accountID + "-" + now.UTC().Format(time.DateOnly) + ".zip",
		parts: func(yield func(string, error) bool) {
			p := &parts{yield: yield}
			p.zip = zip.NewWriter(&p.buffer)
			err := s.fill(ctx, p, accountID, about, now)
			if err == nil {
				err = p.zip.Close()
			}
			if err == nil {
				err = p.send(0)
			}
			if err != nil && err != errReaderGone {
				yield("", err)
			}
		},
	}, nil
}

// parts gathers what the zip writer makes and hands it on in pieces.
type parts struct {
	yield  func(string, error) bool
	buffer bytes.Buffer
	zip    *zip.Writer
}

var errReaderGone = fmt.Errorf("export: the reader is gone: %w", context.Canceled)

func (p *parts) send(atLeast int) error {
	if p.buffer.Len() <= atLeast {
		return nil
	}
	part := p.buffer.String()
	p.buffer.Reset()
	if !p.yield(part, nil) {
		return errReaderGone
	}
	return nil
}

func (p *parts) file(name string, at time.Time) (io.Writer, error) {
	return p.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at})
}

func (s *Service) fill(ctx context.Context, p *parts, accountID string, about []byte, now time.Time) error {
	w, err := p.file("account.json", now)
	if err != nil {
		return err
	}
	if _, err := w.Write(about); err != nil {
		return err
	}
	if w, err = p.file("games.pgn", now); err != nil {
		return err
	}
	var ids []string
	err = s.Records.EachPGN(ctx, accountID, func(gameID, pgn string) error {
		ids = append(ids, gameID)
		if _, err := io.WriteString(w, pgn); err != nil {
			return err
		}
		return p.send(partBytes)
	})
	if err != nil {
		return err
	}
	if err := s.fillChat(ctx, p, accountID, ids, now); err != nil {
		return err
	}
	if err := s.fillPuzzles(ctx, p, accountID, now); err != nil {
		return err
	}
	if err := s.fillReports(ctx, p, accountID, now); err != nil {
		return err
	}
	return s.fillSecurity(ctx, p, accountID, now)
}

// fillChat writes what the account itself wrote: the words of others are theirs.
func (s *Service) fillChat(ctx context.Context, p *parts, accountID string, gameIDs []string, now time.Time) error {
	w, err := p.file("chat.ndjson", now)
	if err != nil {
		return err
	}
	out := json.NewEncoder(w)
	for _, id := range gameIDs {
		for _, room := range []string{game.RoomPlayer, game.RoomSpectator} {
			lines, err := s.Records.ChatLog(ctx, id, room)
			if err != nil {
				return err
			}
			for _, l := range lines {
				if !strings.EqualFold(l.Username, accountID) {
					continue
				}
				if err := out.Encode(map[string]any{"game": id, "room": room, "at": l.At.UnixMilli(), "text": l.Text}); err != nil {
					return err
				}
			}
		}
		if err := p.send(partBytes); err != nil {
			return err
		}
	}
	return nil
}

// fillLines writes a file of one line for each record, newest first. next returns
// up to limit records after last, which is the zero record at first.
func fillLines[T any](p *parts, name string, now time.Time, next func(last T, limit int) ([]T, error), line func(T) any) error {
	w, err := p.file(name, now)
	if err != nil {
		return err
	}
	out := json.NewEncoder(w)
	for record, err := range store.Each(math.MaxInt, next) {
		if err == nil {
			err = out.Encode(line(record))
		}
		if err == nil {
			err = p.send(partBytes)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) fillPuzzles(ctx context.Context, p *parts, accountID string, now time.Time) error {
	return fillLines(p, "puzzles.ndjson", now, func(last store.PuzzleAttempt, limit int) ([]store.PuzzleAttempt, error) {
		return s.Store.Attempts(ctx, accountID, time.Time{}, last.At, limit)
	}, func(a store.PuzzleAttempt) any {
		return map[string]any{
			"puzzle": a.PuzzleID, "at": a.At.UnixMilli(), "win": a.Win, "rated": a.Rated, "rating": a.Rating,
			"ratingDiff": a.RatingDiff, "moves": a.Moves,
		}
	})
}

// fillReports writes what the account has complained of. What others say of it
// is theirs.
func (s *Service) fillReports(ctx context.Context, p *parts, accountID string, now time.Time) error {
	return fillLines(p, "reports.ndjson", now, func(last store.Report, limit int) ([]store.Report, error) {
		return s.Store.Reports(ctx, store.ReportFilter{ReporterID: accountID, Before: last.ID, Limit: limit})
	}, func(r store.Report) any {
		return map[string]any{
			"created": ms(r.Created), "about": r.AccusedID, "reason": r.Reason, "text": r.Text, "game": r.GameID, "line": r.Line,
		}
	})
}

// fillSecurity writes the audit log of the account. The addresses of others are
// theirs.
func (s *Service) fillSecurity(ctx context.Context, p *parts, accountID string, now time.Time) error {
	return fillLines(p, "security.ndjson", now, func(last store.AuditEvent, limit int) ([]store.AuditEvent, error) {
		return s.Store.Audit(ctx, store.AuditFilter{AccountID: accountID, Before: last.ID, Limit: limit})
	}, func(x store.AuditEvent) any {
		own := map[string]any{"at": ms(x.At), "kind": x.Kind, "detail": x.Detail}
		if x.Actor == accountID || x.Actor == "" {
			own["ip"], own["userAgent"] = x.IP, x.UserAgent
		}
		return own
	})
}

// ms is a time as the files have it: null if it is not set.
func ms(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// about is what is kept of an account beside what grows without end. Secrets are not in it.
func (s *Service) about(ctx context.Context, accountID string) ([]byte, error) {
	a, err := s.Store.AccountByID(ctx, accountID)
	if err != nil {
		return nil, err
	}
	out := map[string]any{
		"id": a.ID, "username": a.Name, "email": a.Email, "emailConfirmed": ms(a.EmailConfirmed), "title": a.Title,
		"role": a.Role, "created": ms(a.Created), "seen": ms(a.Seen), "kid": a.Kid, "language": a.Language,
		"profile": a.Profile, "preferences": a.Prefs, "counts": a.Count,
	}
	var errs [7]error
	perfs, e := s.Store.PerfsOf(ctx, accountID)
	out["ratings"], errs[0] = perfs, e
	sessions, e := s.Store.SessionsOf(ctx, accountID)
	out["sessions"], errs[1] = each(sessions, func(x store.Session) any {
		return map[string]any{"created": ms(x.Created), "expires": ms(x.Expires), "userAgent": x.UserAgent}
	}), e
	tokens, e := s.Store.TokensOf(ctx, accountID)
	out["tokens"], errs[2] = each(tokens, func(t store.Token) any {
		return map[string]any{
			"id": t.ID, "description": t.Description, "scopes": t.Scopes, "created": ms(t.Created), "used": ms(t.Used),
			"expires": ms(t.Expires), "client": t.ClientID, "origin": t.ClientOrigin,
		}
	}), e
	identities, e := s.Store.IdentitiesOf(ctx, accountID)
	out["identities"], errs[3] = identities, e
	in, sent, e := s.Store.ChallengesOf(ctx, accountID)
	out["challenges"], errs[4] = append(in, sent...), e
	seeks, e := s.Store.SeeksOf(ctx, accountID)
	out["seeks"], errs[5] = seeks, e
	engines, e := s.Store.EnginesOf(ctx, accountID)
	out["externalEngines"], errs[6] = each(engines, func(x store.ExternalEngine) any {
		return map[string]any{
			"id": x.ID, "name": x.Name, "created": ms(x.Created), "maxThreads": x.MaxThreads, "maxHash": x.MaxHash,
			"variants": x.Variants, "providerData": x.Data,
		}
	}), e
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return json.MarshalIndent(out, "", "  ")
}

func each[T any](list []T, f func(T) any) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}
