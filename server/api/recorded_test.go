package api_test

import (
	"net/http"
	"testing"
)

// TestRecordedRequests replays what real clients send, byte for byte as their HTTP libraries write it: berserk 0.14
// and lichess-bot 2026.8. The gate must let every one of them through.
func TestRecordedRequests(t *testing.T) {
	t.Parallel()
	e := newGate(t)
	const text = "" // requests sends no content type with a plain text body
	for _, tt := range []struct {
		call string // the client's method
		r    request
	}{
		// lichess-bot
		{"lichess-bot: test the token", request{"POST", "/api/token/test", text, "lip_local", "bot"}},
		{"lichess-bot: profile", request{"GET", "/api/account", "", "", "bot"}},
		{"lichess-bot: upgrade", request{"POST", "/api/bot/account/upgrade", "", "", "bot"}},
		{"lichess-bot: ongoing games", request{"GET", "/api/account/playing", "", "", "bot"}},
		{"lichess-bot: events", request{"GET", "/api/stream/event", "", "", "bot"}},
		{"lichess-bot: accept", request{"POST", "/api/challenge/x4Tq9bZe/accept", "", "", "bot"}},
		{"lichess-bot: decline", request{"POST", "/api/challenge/x4Tq9bZe/decline", formType, "reason=timeControl", "bot"}},
		{"lichess-bot: cancel", request{"POST", "/api/challenge/x4Tq9bZe/cancel", "", "", "bot"}},
		{"lichess-bot: game stream", request{"GET", "/api/bot/game/stream/x4Tq9bZe", "", "", "bot"}},
		{"lichess-bot: greet the player", request{"POST", "/api/bot/game/x4Tq9bZe/chat", formType, "room=player&text=hi+Gorgo", "bot"}},
		{"lichess-bot: greet the spectators", request{"POST", "/api/bot/game/x4Tq9bZe/chat", formType, "room=spectator&text=hi+all", "bot"}},
		{"lichess-bot: move", request{"POST", "/api/bot/game/x4Tq9bZe/move/e2e4?offeringDraw=false", "", "", "bot"}},
		{"lichess-bot: takeback", request{"POST", "/api/bot/game/x4Tq9bZe/takeback/no", "", "", "bot"}},
		{"lichess-bot: abort", request{"POST", "/api/bot/game/x4Tq9bZe/abort", "", "", "bot"}},
		{"lichess-bot: resign", request{"POST", "/api/bot/game/x4Tq9bZe/resign", "", "", "bot"}},
		{"lichess-bot: status", request{"GET", "/api/users/status?ids=mybot", "", "", "bot"}},
		{"lichess-bot: PGN", request{"GET", "/game/export/x4Tq9bZe", "", "", "bot"}},
		{"lichess-bot: online bots", request{"GET", "/api/bot/online?nb=512", "", "", "bot"}},
		{"lichess-bot: public data", request{"GET", "/api/user/Gorgo", "", "", "bot"}},
		{"lichess-bot: challenge by clock", request{"POST", "/api/challenge/gorgo", jsonType, `{"rated": true, "variant": "standard", "clock.limit": 300, "clock.increment": 2}`, "bot"}},
		{"lichess-bot: challenge by days", request{"POST", "/api/challenge/gorgo", jsonType, `{"rated": false, "variant": "chess960", "days": 3}`, "bot"}},

		// berserk: account, users
		{"account.get", request{"GET", "/api/account", "", "", "all"}},
		{"account.get_email", request{"GET", "/api/account/email", "", "", "all"}},
		{"account.get_preferences", request{"GET", "/api/account/preferences", "", "", "session"}},
		{"account.get_kid_mode", request{"GET", "/api/account/kid", "", "", "session"}},
		{"account.set_kid_mode", request{"POST", "/api/account/kid?v=True", "", "", "all"}},
		{"account.upgrade_to_bot", request{"POST", "/api/bot/account/upgrade", "", "", "all"}},
		{"users.get_realtime_statuses", request{"GET", "/api/users/status?ids=ann%2Cben&withGameIds=False", "", "", "all"}},
		{"users.get_public_data", request{"GET", "/api/user/ann?trophies=False", "", "", "all"}},
		{"users.get_by_id", request{"POST", "/api/users", text, "ann,ben", "all"}},
		{"users.get_by_id, no names", request{"POST", "/api/users", "", "", "all"}},
		{"oauth.test_tokens", request{"POST", "/api/token/test", text, "lip_a,lip_b", "all"}},

		// berserk: challenges
		{"challenges.get_mine", request{"GET", "/api/challenge", "", "", "all"}},
		{"challenges.create", request{"POST", "/api/challenge/ben", jsonType, `{"rated": false, "clock.limit": 300, "clock.increment": 0, "days": null, "color": null, "variant": null, "fen": null}`, "all"}},
		{"challenges.create_with_accept", request{"POST", "/api/challenge/ben", jsonType, `{"rated": true, "acceptByToken": "lip_other", "clock.limit": null, "clock.increment": null, "days": 2, "color": "white", "variant": "standard", "fen": null}`, "all"}},
		{"challenges.create_ai", request{"POST", "/api/challenge/ai", jsonType, `{"level": 8, "clock.limit": null, "clock.increment": null, "days": null, "color": null, "variant": null, "fen": null}`, "all"}},
		{"challenges.create_open", request{"POST", "/api/challenge/open", jsonType, `{"rated": null, "clock.limit": 180, "clock.increment": 2, "variant": "spartan", "fen": null, "name": null}`, "all"}},
		{"challenges.accept", request{"POST", "/api/challenge/x4Tq9bZe/accept", "", "", "all"}},
		{"challenges.accept, colour", request{"POST", "/api/challenge/x4Tq9bZe/accept?color=black", "", "", "all"}},
		{"challenges.decline", request{"POST", "/api/challenge/x4Tq9bZe/decline", jsonType, `{"reason": "generic"}`, "all"}},
		{"challenges.cancel", request{"POST", "/api/challenge/x4Tq9bZe/cancel", "", "", "all"}},
		{"challenges.cancel, with a token", request{"POST", "/api/challenge/x4Tq9bZe/cancel?opponentToken=lip_other", "", "", "all"}},
		{"challenges.start_clocks", request{"POST", "/api/challenge/x4Tq9bZe/start-clocks?token1=lip_a&token2=lip_b", "", "", "all"}},
		{"challenges.add_time_to_opponent_clock", request{"POST", "/api/round/x4Tq9bZe/add-time/15", "", "", "all"}},

		// berserk: board
		{"board.stream_incoming_events", request{"GET", "/api/stream/event", "", "", "all"}},
		{"board.seek", request{"POST", "/api/board/seek", formType, "rated=False&time=10&increment=5&variant=standard&color=random&ratingRange=", "all"}},
		{"board.stream_game_state", request{"GET", "/api/board/game/stream/x4Tq9bZe", "", "", "all"}},
		{"board.make_move", request{"POST", "/api/board/game/x4Tq9bZe/move/e2e4", "", "", "all"}},
		{"board.get_game_chat", request{"GET", "/api/board/game/x4Tq9bZe/chat", "", "", "all"}},
		{"board.post_message", request{"POST", "/api/board/game/x4Tq9bZe/chat", jsonType, `{"room": "player", "text": "hello"}`, "all"}},
		{"board.abort_game", request{"POST", "/api/board/game/x4Tq9bZe/abort", "", "", "all"}},
		{"board.resign_game", request{"POST", "/api/board/game/x4Tq9bZe/resign", "", "", "all"}},
		{"board.handle_draw_offer", request{"POST", "/api/board/game/x4Tq9bZe/draw/yes", "", "", "all"}},
		{"board.handle_takeback_offer", request{"POST", "/api/board/game/x4Tq9bZe/takeback/no", "", "", "all"}},
		{"board.claim_victory", request{"POST", "/api/board/game/x4Tq9bZe/claim-victory", "", "", "all"}},
		{"board.go_berserk", request{"POST", "/api/board/game/x4Tq9bZe/berserk", "", "", "all"}},

		// berserk: bots
		{"bots.get_online_bots", request{"GET", "/api/bot/online?nb=100", "", "", "all"}},
		{"bots.stream_game_state", request{"GET", "/api/bot/game/stream/x4Tq9bZe", "", "", "all"}},
		{"bots.make_move", request{"POST", "/api/bot/game/x4Tq9bZe/move/P@e4?offeringDraw=True", "", "", "all"}},
		{"bots.post_message", request{"POST", "/api/bot/game/x4Tq9bZe/chat", jsonType, `{"room": "spectator", "text": "hello"}`, "all"}},
		{"bots.abort_game", request{"POST", "/api/bot/game/x4Tq9bZe/abort", "", "", "all"}},
		{"bots.resign_game", request{"POST", "/api/bot/game/x4Tq9bZe/resign", "", "", "all"}},
		{"bots.handle_draw_offer", request{"POST", "/api/bot/game/x4Tq9bZe/draw/1", "", "", "all"}},
		{"bots.handle_takeback_offer", request{"POST", "/api/bot/game/x4Tq9bZe/takeback/0", "", "", "all"}},

		// berserk: games, puzzles
		{"games.export", request{"GET", "/game/export/x4Tq9bZe?moves=True&clocks=&evals=False&opening=True&literate=0", "", "", "all"}},
		{"games.export_ongoing_by_player", request{"GET", "/api/user/ann/current-game?moves=True&pgnInJson=False", "", "", "all"}},
		{"games.export_by_player", request{"GET", "/api/games/user/ann?since=1544260200000.0&max=5&vs=ben&rated=True&perfType=blitz&color=white&sort=dateDesc", "", "", "all"}},
		{"games.export_multi", request{"POST", "/api/games/export/_ids?moves=True", text, "x4Tq9bZe,p0Lm3kQr", "all"}},
		{"games.get_ongoing", request{"GET", "/api/account/playing?nb=10", "", "", "all"}},
		{"games.stream_game_moves", request{"GET", "/api/stream/game/x4Tq9bZe", "", "", "all"}},
		{"puzzles.get_daily", request{"GET", "/api/puzzle/daily", "", "", "all"}},
		{"puzzles.get", request{"GET", "/api/puzzle/abcde", "", "", "all"}},
		{"puzzles.get_next", request{"GET", "/api/puzzle/next?angle=mix&difficulty=normal", "", "", "all"}},
	} {
		t.Run(tt.call, func(t *testing.T) {
			t.Parallel()
			if w := tt.r.send(e); w.Code != http.StatusOK {
				t.Errorf("status %d: %s", w.Code, w.Body)
			}
		})
	}
}
