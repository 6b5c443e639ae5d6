package lichess

import (
	"crypto/rand"
	"crypto/sha256"
	"math/big"
	"strings"

	"hoplite/openapi"
	"hoplite/server/live/clock"
	"hoplite/server/live/game"
	"hoplite/store"
)

// VariantName returns the variant as the API names it. An unknown key names
// itself.
func (g *Games) VariantName(key string) openapi.VariantName {
	if a := g.alias(key); a != nil && a.Key == key {
		return openapi.VariantName{Key: key, Name: a.Name, Short: a.Short}
	}
	r, ok := g.catalogue.Get(key)
	if !ok {
		return openapi.VariantName{Key: key, Name: key, Short: key}
	}
	def := r.Definition()
	name := openapi.VariantName{Key: key, Name: def.Name, Short: def.Name}
	if def.Lichess != nil {
		// Lichess's clients build their boards by its exact names, which are
		// those of its PGN files too.
		name.Name, name.Short = def.PGNName, def.Lichess.Short
	}
	return name
}

// PGNVariant returns the value of the Variant tag.
func (g *Games) PGNVariant(key string) string {
	if a := g.alias(key); a != nil && a.Key == key {
		return a.Name
	}
	if r, ok := g.catalogue.Get(key); ok {
		return r.Definition().PGNName
	}
	return key
}

// PerfName returns a perf in words: the name of the speed or of the variant.
func (g *Games) PerfName(key string) openapi.PerfName {
	name := speedName(key)
	if name == "" {
		name = g.VariantName(key).Name
	}
	return openapi.PerfName{Icon: name[:1], Name: name}
}

// speedName returns a speed in words, "" for what is no speed.
func speedName(key string) string {
	switch clock.Speed(key) {
	case clock.UltraBullet:
		return "UltraBullet"
	case clock.Bullet:
		return "Bullet"
	case clock.Blitz:
		return "Blitz"
	case clock.Rapid:
		return "Rapid"
	case clock.Classical:
		return "Classical"
	case clock.CorrespondenceSpeed:
		return "Correspondence"
	}
	return ""
}

// IsPerf says whether key names a rating of games: a speed or a variant.
func (g *Games) IsPerf(key string) bool {
	if speedName(key) != "" {
		return true
	}
	_, ok := g.catalogue.Get(key)
	return ok && !g.BySpeed(key)
}

// Speeds are the perfs that chess is rated in, in the order in which Lichess
// shows them.
func Speeds() []string {
	return []string{
		string(clock.UltraBullet), string(clock.Bullet), string(clock.Blitz), string(clock.Rapid),
		string(clock.Classical), string(clock.CorrespondenceSpeed),
	}
}

// VariantPerfs are the perfs of the games that are rated apart from chess:
// those that Lichess has too, and the others.
func (g *Games) VariantPerfs() (usual, further []string) {
	for _, r := range g.catalogue.List() {
		switch {
		case g.BySpeed(r.Key()):
		case r.Definition().Lichess != nil:
			usual = append(usual, r.Key())
		default:
			further = append(further, r.Key())
		}
	}
	return usual, further
}

// Color names a player by its index. There are two colours: in a game of more
// players even seats are white.
func Color(player int) openapi.Color {
	if player%2 == 0 {
		return openapi.ColorWhite
	}
	return openapi.ColorBlack
}

// PlayerOf is the inverse of [Color], -1 for anything else.
func PlayerOf(color string) int {
	switch color {
	case "white":
		return 0
	case "black":
		return 1
	}
	return -1
}

// winner is the colour of the winner, "" if nobody has won.
func winner(player int) openapi.Color {
	if player < 0 {
		return ""
	}
	return Color(player)
}

// Status returns a status with its number.
func Status(name string) openapi.GameStatus {
	s, _ := store.ParseStatus(name)
	return openapi.GameStatus{ID: int(s), Name: openapi.GameStatusName(name)}
}

// idAlphabet is that of game and challenge ids.
const idAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// IDLength is the length of the id of a game or a challenge.
const IDLength = 8

// NewID draws an id: eight characters, at least one of them a digit, so that
// no id is a word or a page's name.
func NewID() string {
	for {
		if id := RandomText(IDLength); strings.ContainsAny(id, idAlphabet[:10]) {
			return id
		}
	}
}

// RandomText draws n letters and digits that nobody can guess.
func RandomText(n int) string {
	size := big.NewInt(int64(len(idAlphabet)))
	text := make([]byte, n)
	for i := range text {
		c, err := rand.Int(rand.Reader, size)
		if err != nil {
			panic("lichess: no randomness: " + err.Error()) // crypto/rand never fails
		}
		text[i] = idAlphabet[c.Int64()]
	}
	return string(text)
}

// GameID cuts a full id down to the game's.
func GameID(id string) string {
	if len(id) > IDLength {
		return id[:IDLength]
	}
	return id
}

// FullID is the id of a game as one of its players writes it. The four
// characters behind the game's id name the seat; they open nothing.
func FullID(gameID string, player int) string {
	sum := sha256.Sum256([]byte{byte(player), '/'})
	sum = sha256.Sum256(append(sum[:], gameID...))
	var b strings.Builder
	b.WriteString(gameID)
	for _, c := range sum[:4] {
		b.WriteByte(idAlphabet[int(c)%len(idAlphabet)])
	}
	return b.String()
}

// EngineName is what an opponent list shows for the server's own engine.
func EngineName(level int) string { return "Hoplite level " + string(rune('0'+level)) }

// Compat says with which API a player can play a game with this control that
// came from a challenge (source "friend"), the engine ("ai") or elsewhere.
func Compat(bot bool, c clock.Control, source string) openapi.Compat {
	return openapi.Compat{Bot: bot && BotPlayable(c, source), Board: BoardPlayable(c, source)}
}

// BotPlayable says whether bots may play games of this kind.
func BotPlayable(c clock.Control, source string) bool {
	return direct(source) && BotSpeed(c)
}

// BotSpeed says whether the control is slow enough for a bot.
func BotSpeed(c clock.Control) bool { return c.Speed().Compare(clock.Bullet) >= 0 }

// BoardPlayable says whether a game of this kind may be played over the Board
// API, which is made for physical boards.
func BoardPlayable(c clock.Control, source string) bool {
	if direct(source) {
		return c.Speed().Compare(clock.Blitz) >= 0
	}
	return c.Speed().Compare(clock.Rapid) >= 0
}

// direct says whether the players chose each other.
func direct(source string) bool {
	return source == SourceFriend || source == SourceAI || source == SourceAPI
}

// The ways in which a game comes about.
const (
	SourceFriend = "friend"
	SourceAI     = "ai"
	SourceAPI    = "api"
	SourceLobby  = "lobby"
)

// displayMove is a move for highlighting: a drop is its cell twice.
func displayMove(uci string) string {
	if i := strings.IndexByte(uci, '@'); i >= 0 {
		return uci[i+1:] + uci[i+1:]
	}
	return uci
}

// opponentOf returns the seat of the other player of a game of two, and in a
// game of more that of the next.
func opponentOf(s *game.Snapshot, player int) int { return (player + 1) % len(s.Players) }
