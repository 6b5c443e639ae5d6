package game

import (
	"encoding/json"
	"fmt"
	"time"

	"hoplite/engine/rules"
)

// RowKind is the kind of a log row, as it is stored. Kinds are only added.
type RowKind string

// The kinds of log row.
const (
	RowMove            RowKind = "move"
	RowDeclare         RowKind = "declare"
	RowRetire          RowKind = "retire"
	RowDrawOffer       RowKind = "drawOffer"
	RowDrawDecline     RowKind = "drawDecline"
	RowTakebackOffer   RowKind = "takebackOffer"
	RowTakebackDecline RowKind = "takebackDecline"
	RowTakeback        RowKind = "takeback"
	RowConditional     RowKind = "conditional"
	RowMute            RowKind = "mute"
	RowAddTime         RowKind = "addTime"
	RowStartClocks     RowKind = "startClocks"
	RowEnd             RowKind = "end"
	RowChat            RowKind = "chat"
	RowRematch         RowKind = "rematch"
)

// Row is one entry of a game's log. It holds what was decided (clocks,
// result), not only what was asked, so that a replay decides nothing again.
// Its number is the version that it makes.
type Row struct {
	Kind     RowKind
	Player   int // -1 for the system and spectators
	ActionID string
	At       time.Time // when the action arrived, to the millisecond
	Data     json.RawMessage
}

// rowData is the stored form of every kind; unused fields are left out.
type rowData struct {
	Move    string   `json:"move,omitempty"`
	Claim   string   `json:"claim,omitempty"`
	Lines   []string `json:"lines,omitempty"`
	Offer   bool     `json:"offer,omitempty"`  // a draw was offered with the move
	Clocks  []int64  `json:"clocks,omitempty"` // ms left after the row
	End     *rowEnd  `json:"end,omitempty"`
	Plies   int      `json:"plies,omitempty"`
	Seconds int      `json:"seconds,omitempty"`
	Room    string   `json:"room,omitempty"`
	User    string   `json:"user,omitempty"`
	Text    string   `json:"text,omitempty"`
	On      bool     `json:"on,omitempty"`
	Game    string   `json:"game,omitempty"`
	Left    int      `json:"left,omitempty"` // one more than the seat of a player who goes out
	Why     string   `json:"why,omitempty"`  // a reason

	parsed rules.Move // the move, if the writer has played it
	played bool       // the writer has declared or retired already
}

// rowEnd is how the game ended with this row.
type rowEnd struct {
	Status string `json:"status"`
	Winner int    `json:"winner"`
	Reason string `json:"reason"`
	// Places are the places by seat in a game of more than two.
	Places []int `json:"places,omitempty"`
}

func (d *rowData) encode() (json.RawMessage, error) {
	b, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encode row: %w", err)
	}
	return b, nil
}

func (r *Row) decode() (*rowData, error) {
	d := new(rowData)
	if len(r.Data) == 0 {
		return d, nil
	}
	if err := json.Unmarshal(r.Data, d); err != nil {
		return nil, fmt.Errorf("decode row: %w", err)
	}
	return d, nil
}

// millis is the stored form of the clocks of the first players.
func millis(d PerPlayer[time.Duration], players int) []int64 {
	ms := make([]int64, players)
	for i := range ms {
		ms[i] = d[i].Milliseconds()
	}
	return ms
}

func durations(ms []int64) (d PerPlayer[time.Duration]) {
	for i := range min(len(ms), len(d)) {
		d[i] = time.Duration(ms[i]) * time.Millisecond
	}
	return d
}
