package game

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hoplite/server/fault"
)

const (
	// maxText is the length of a chat line in characters.
	maxText = 140
	// chatBurst is how many lines somebody may write in chatWindow. Later ones
	// are dropped and not refused: programs give up a game whose chat fails.
	chatBurst  = 20
	chatWindow = 10 * time.Second
)

func (s *State) chat(a *Action, now time.Time) (*Step, error) {
	if a.Room != RoomPlayer && a.Room != RoomSpectator {
		return nil, fault.Field("room", "Must be player or spectator")
	}
	text, ok := cleanText(a.Text)
	if !ok {
		return nil, fault.Field("text", "Must have between 1 and 140 characters")
	}
	if s.chatted[a.Room] >= maxChat {
		return s.nothing("The chat is full")
	}
	if s.chatsTooFast(a.Username, now) {
		return s.nothing("You write too fast: this line was not sent")
	}
	return s.one(a, RowChat, now, &rowData{Room: a.Room, User: a.Username, Text: text})
}

// cleanText makes a chat line one line of printable text, and reports whether
// its length is allowed.
func cleanText(text string) (string, bool) {
	if !utf8.ValidString(text) || len(text) > 4*(maxText+maxText) {
		return "", false
	}
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text))
	n := utf8.RuneCountInString(text)
	return text, n >= 1 && n <= maxText
}

// chatsTooFast reports whether somebody has written chatBurst lines a moment ago.
func (s *State) chatsTooFast(name string, now time.Time) bool {
	lines := 0
	for _, l := range slices.Backward(s.cur.chat) {
		if now.Sub(l.At) >= chatWindow {
			break
		}
		if l.Username == name {
			lines++
		}
	}
	return lines >= chatBurst
}

// mute hides from the player what others write, or shows it again.
func (s *State) mute(a *Action, now time.Time) (*Step, error) {
	if s.cur.Muted[a.Player] == a.On {
		return s.nothing("Nothing changes by that")
	}
	return s.one(a, RowMute, now, &rowData{On: a.On})
}

// Hears reports whether a viewer gets a line: who has muted the others gets
// only its own and those of the server.
func (s *Snapshot) Hears(viewer int, l *ChatLine) bool {
	return viewer < 0 || viewer >= len(s.Players) || !s.Muted[viewer] ||
		l.Username == SystemName || l.Username == s.Players[viewer].Name
}

// ChatFor returns the lines of one room that a viewer gets, oldest first.
func (s *Snapshot) ChatFor(viewer int, room string) []ChatLine {
	var lines []ChatLine
	for i := range s.chat {
		if l := &s.chat[i]; l.Room == room && s.Hears(viewer, l) {
			lines = append(lines, *l)
		}
	}
	return lines
}

// AllChat returns the lines of both rooms in the order of their rows. The
// slice must not be changed.
func (s *Snapshot) AllChat() []ChatLine { return s.chat }
