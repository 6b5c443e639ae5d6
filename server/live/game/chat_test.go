package game_test

import (
	"testing"
)

// TestMute hides the chat from one player.
func TestMute(t *testing.T) {
	t.Parallel()
	newTable(t, setup()).run(`
		b say hello
		= heard 1 1
		w mute
		= heard 0 1
		w mute ~ Nothing changes
		b say are you there
		w say I am
		= heard 1 3
		b unmute ~ Nothing changes
		b e2e4 ! Not your turn
		w e2e4
		b e7e5
		w takeback
		= heard 2 4
		w #twice unmute
		w #twice unmute
		= heard 4 4
		b mute
		= heard 4 3
		x mute ! Not your game
		w resign
		b unmute
		= heard 4 4
		= rows chat mute chat chat move move takebackOffer chat mute mute end mute`)
}

// TestChatRate drops what is written too fast, and says so.
func TestChatRate(t *testing.T) {
	t.Parallel()
	g := newTable(t, setup())
	for range 20 {
		g.run("w say quick")
	}
	g.run(`
		w say quick ~ too fast
		w whisper quick ~ too fast
		b say I may
		+9s
		w say quick ~ too fast
		+1s
		w say slower`)
}
