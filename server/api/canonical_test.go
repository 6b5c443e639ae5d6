package api_test

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hoplite/server/api"
)

const (
	jsonType = "application/json"
	formType = "application/x-www-form-urlencoded"
)

func multipartForm(t testing.TB, fields map[string]string) (contentType, body string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range fields {
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), b.String()
}

func TestCanonicalBody(t *testing.T) {
	t.Parallel()
	e := newGate(t)
	multiType, multiBody := multipartForm(t, map[string]string{"level": "3", "clock.limit": "300", "clock.increment": "2"})
	for _, tt := range []struct {
		name, target, contentType, body, want string
	}{
		{"form", "/api/challenge/ai", formType, "level=3&clock.limit=300&clock.increment=2", `{"level":3,"clock.limit":300,"clock.increment":2}`},
		{"JSON", "/api/challenge/ai", jsonType, `{"level":3,"clock.limit":300,"clock.increment":2}`, `{"level":3,"clock.limit":300,"clock.increment":2}`},
		{"multipart", "/api/challenge/ai", multiType, multiBody, `{"level":3,"clock.limit":300,"clock.increment":2}`},
		{"no content type, JSON", "/api/challenge/ai", "", `{"level":3}`, `{"level":3}`},
		{"no content type, form", "/api/challenge/ai", "", `level=3`, `{"level":3}`},
		{"JSON that curl calls a form", "/api/challenge/ai", formType, ` {"level":3}`, `{"level":3}`},
		{"JSON with a charset", "/api/challenge/ai", jsonType + "; charset=utf-8", `{"level":3}`, `{"level":3}`},
		{"numbers as text", "/api/challenge/ai", jsonType, `{"level":"3","clock.limit":"60.0","clock.increment":0.0}`, `{"level":3,"clock.limit":60,"clock.increment":0}`},
		{"nulls and empty texts", "/api/challenge/bob", jsonType, `{"rated":null,"fen":"","color":null,"days":"","variant":"spartan"}`, `{"variant":"spartan"}`},
		{"empty form fields", "/api/challenge/bob", formType, `rated=&color=&days=&variant=spartan`, `{"variant":"spartan"}`},
		{"Python's True", "/api/challenge/bob", formType, `rated=True`, `{"rated":true}`},
		{"yes", "/api/challenge/bob", formType, `rated=yes`, `{"rated":true}`},
		{"1", "/api/challenge/bob", jsonType, `{"rated":1}`, `{"rated":true}`},
		{"off", "/api/challenge/bob", formType, `rated=off`, `{"rated":false}`},
		{"unknown fields of Lichess clients", "/api/challenge/bob", jsonType, `{"acceptByToken":"x","rated":false}`, `{"rated":false}`},
		{"rules as a list", "/api/challenge/bob", jsonType, `{"rules":["noAbort","noRematch"]}`, `{"rules":"noAbort,noRematch"}`},
		{"no body at all", "/api/challenge/bob", "", ``, `{}`},
		{"an empty form", "/api/challenge/bob", formType, ``, `{}`},
		{"fields in the query", "/api/challenge/bob?rated=true&variant=spartan", formType, `variant=seirawan`, `{"rated":true,"variant":"seirawan"}`},
		{"half a minute", "/api/board/seek", formType, `time=0.5&increment=0`, `{"time":0.5,"increment":0}`},
		{"a list in a form", "/api/puzzle/abcde/solve", formType, `moves=d1h5+e2e4,a1a2`, `{"moves":["d1h5","e2e4","a1a2"]}`},
		{"repeated fields", "/api/puzzle/abcde/solve", formType, `moves=d1h5&moves=e2e4`, `{"moves":["d1h5","e2e4"]}`},
		{"one field with brackets", "/api/puzzle/abcde/solve", formType, `moves[]=d1h5`, `{"moves":["d1h5"]}`},
		{"text beyond ASCII", "/api/board/game/abcdefgh/chat", jsonType, `{"room":"player","text":"Χαῖρε ♔ 🐎"}`, `{"room":"player","text":"Χαῖρε ♔ 🐎"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := request{"POST", tt.target, tt.contentType, tt.body, "all"}.seen(t, e)
			if got.Type != jsonType {
				t.Errorf("content type %q", got.Type)
			}
			var gotBody, wantBody any
			if err := json.Unmarshal([]byte(got.Body), &gotBody); err != nil {
				t.Fatalf("%v: %s", err, got.Body)
			}
			if err := json.Unmarshal([]byte(tt.want), &wantBody); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(wantBody, gotBody); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCanonicalRest(t *testing.T) {
	t.Parallel()
	e := newGate(t)
	for _, tt := range []struct {
		name string
		r    request
		want seen
	}{
		{"text without a content type", request{"POST", "/api/token/test", "", "lip_a,lip_b", ""}, seen{Body: "lip_a,lip_b"}},
		{"text that curl calls a form", request{"POST", "/api/users", formType, "a,b&c=d", ""}, seen{Body: "a,b&c=d"}},
		{"empty text", request{"POST", "/api/users", "", "", ""}, seen{}},
		{"a player's handle", request{"POST", "/api/board/game/abcdefghWXYZ/abort", "", "", "all"}, seen{Params: map[string]string{"gameId": "abcdefgh"}}},
		{"another length is no handle", request{"POST", "/api/board/game/abcdefghi/abort", "", "", "all"}, seen{Params: map[string]string{"gameId": "abcdefghi"}}},
		{"a challenge's handle", request{"POST", "/api/challenge/abcdefghWXYZ/accept", "", "", "all"}, seen{Params: map[string]string{"challengeId": "abcdefgh"}}},
		{"a spectator's handle", request{"GET", "/api/stream/game/abcdefghWXYZ", "", "", ""}, seen{Params: map[string]string{"id": "abcdefgh"}}},
		{"no handle of a user", request{"GET", "/api/user/abcdefghWXYZ", "", "", ""}, seen{Params: map[string]string{"username": "abcdefghWXYZ"}}},
		{"flag", request{"POST", "/api/bot/game/abcdefgh/move/e2e4?offeringDraw=True", "", "", "bot"}, seen{Query: "offeringDraw=true", Params: map[string]string{"gameId": "abcdefgh", "move": "e2e4"}}},
		{"flag yes", request{"POST", "/api/bot/game/abcdefgh/move/e2e4?offeringDraw=yes", "", "", "bot"}, seen{Query: "offeringDraw=true", Params: map[string]string{"gameId": "abcdefgh", "move": "e2e4"}}},
		{"empty flag", request{"POST", "/api/bot/game/abcdefgh/move/e2e4?offeringDraw=", "", "", "bot"}, seen{Params: map[string]string{"gameId": "abcdefgh", "move": "e2e4"}}},
		{"time with a fraction", request{"GET", "/api/games/user/ann?since=1544260200000.0&max=", "", "", ""}, seen{Query: "since=1544260200000", Params: map[string]string{"username": "ann"}}},
		{"unknown parameters", request{"GET", "/api/games/user/ann?moves:=true&x=1", "", "", ""}, seen{Query: "moves:=true&x=1", Params: map[string]string{"username": "ann"}}},
		{"a body where none belongs", request{"POST", "/api/board/game/abcdefgh/abort", "image/png", "GIF89", "all"}, seen{Params: map[string]string{"gameId": "abcdefgh"}}},
		{"moves with odd letters", request{"POST", "/api/bot/game/abcdefgh/move/P@e4+=*,|", "", "", "bot"}, seen{Params: map[string]string{"gameId": "abcdefgh", "move": "P@e4+=*,|"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := tt.r.seen(t, e)
			got.Route, got.Type, got.Caller = "", "", ""
			if len(got.Params) == 0 {
				got.Params = nil
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	e := newGate(t)
	deep := strings.Repeat(`{"a":`, 50000) + "1" + strings.Repeat("}", 50000)
	for _, tt := range []struct {
		name   string
		r      request
		status int
		want   string
	}{
		{"number out of range", request{"POST", "/api/challenge/ai", jsonType, `{"level":9}`, "all"}, 400, `{"error":{"level":["must be at most 8"]},"level":["must be at most 8"]}`},
		{"missing field, compatible style", request{"POST", "/api/challenge/ai", "", ``, "all"}, 400, `{"error":{"level":["is required"]},"level":["is required"]}`},
		{"several fields", request{"POST", "/api/challenge/ai", formType, `level=x&color=red&clock.limit=-1`, "all"}, 400,
			`{"clock.limit":["must be at least 0"],"color":["must be one of: white, black, random"],` +
				`"error":{"clock.limit":["must be at least 0"],"color":["must be one of: white, black, random"],"level":["must be a whole number"]},"level":["must be a whole number"]}`},
		{"unknown field of ours", request{"POST", "/api/login", jsonType, `{"username":"a","password":"b","admin":true}`, ""}, 400, `{"error":{"admin":["is not a field of this request"]}}`},
		{"too short", request{"POST", "/api/signup", jsonType, `{"username":"ann","password":"short"}`, ""}, 400, `{"error":{"password":["must have at least 8 characters"]}}`},
		{"wrong type", request{"POST", "/api/login", jsonType, `{"username":{"$ne":1},"password":"b"}`, ""}, 400, `{"error":{"username":["must be a string"]}}`},
		{"not a flag", request{"GET", "/api/user/ann?rank=maybe", "", "", ""}, 400, `{"error":{"rank":["must be one of: true, false"]}}`},
		{"seconds for milliseconds", request{"GET", "/api/games/user/ann?since=1544260200", "", "", ""}, 400, `{"error":{"since":["must be at least 100000000000"]}}`},
		{"query number", request{"GET", "/api/bot/online?nb=many", "", "", ""}, 400, `{"error":{"nb":["must be a number"]}}`},
		{"query number too large", request{"GET", "/api/bot/online?nb=513", "", "", ""}, 400, `{"error":{"nb":["must be at most 512"]}}`},
		{"missing parameter", request{"GET", "/api/users/status", "", "", ""}, 400, `{"error":{"ids":["is required"]}}`},
		{"path number", request{"POST", "/api/round/abcdefgh/add-time/61", "", "", "all"}, 400, `{"error":{"seconds":["must be at most 60"]}}`},
		{"path text for a number", request{"POST", "/api/round/abcdefgh/add-time/x", "", "", "all"}, 400, `{"error":{"seconds":["must be a number"]}}`},
		{"text too long", request{"POST", "/api/board/game/abcdefgh/chat", formType, "room=player&text=" + strings.Repeat("é", 141), "all"}, 400, `{"error":{"text":["must have at most 140 characters"]},"text":["must have at most 140 characters"]}`},
		{"empty text", request{"POST", "/api/board/game/abcdefgh/chat", formType, "room=player&text=", "all"}, 400, `{"error":{"text":["is required"]},"text":["is required"]}`},
		{"NUL in a field", request{"POST", "/api/board/game/abcdefgh/chat", jsonType, `{"room":"player","text":"a\u0000b"}`, "all"}, 400, `{"error":{"text":["must be plain text"]},"text":["must be plain text"]}`},
		{"bytes that are not UTF-8", request{"POST", "/api/board/game/abcdefgh/chat", formType, "room=player&text=%ff%fe", "all"}, 400, `{"error":{"text":["must be plain text"]},"text":["must be plain text"]}`},
		{"NUL in a query", request{"GET", "/api/puzzle/next?angle=a%00", "", "", ""}, 400, `{"error":{"angle":["must be plain text"]}}`},
		{"NUL in a path", request{"GET", "/api/user/a%00b", "", "", ""}, 404, `{"error":"Not found"}`},
		{"broken JSON", request{"POST", "/api/login", jsonType, `{"username":`, ""}, 400, `{"error":"The body is not a JSON object"}`},
		{"JSON list", request{"POST", "/api/login", jsonType, `[1]`, ""}, 400, `{"error":"The body is not a JSON object"}`},
		{"two JSON objects", request{"POST", "/api/login", jsonType, `{} {}`, ""}, 400, `{"error":"The body goes on after its JSON object"}`},
		{"JSON not UTF-8", request{"POST", "/api/login", jsonType, "{\"username\":\"\xff\"}", ""}, 400, `{"error":"The body is not UTF-8"}`},
		{"deep JSON", request{"POST", "/api/login", jsonType, deep[:60000], ""}, 400, `{"error":"The JSON is nested too deeply"}`},
		{"large form", request{"POST", "/api/login", jsonType, deep, ""}, 413, `{"error":"The body is larger than 65536 bytes"}`},
		{"large text", request{"POST", "/api/users", "", strings.Repeat("a,", api.MaxTextBytes), ""}, 413, `{"error":"The body is larger than 524288 bytes"}`},
		{"content type", request{"POST", "/api/login", "text/xml", `<login/>`, ""}, 415, `{"error":"Content type \"text/xml\" is not read here; use application/json, application/x-www-form-urlencoded or multipart/form-data"}`},
		{"broken content type", request{"POST", "/api/login", ";;", `a=b`, ""}, 415, `{"error":"Content type \";;\" is not read here; use application/json, application/x-www-form-urlencoded or multipart/form-data"}`},
		{"multipart without a boundary", request{"POST", "/api/login", "multipart/form-data", `a=b`, ""}, 400, `{"error":"The form has no boundary"}`},
		{"wrong method", request{"DELETE", "/api/login", "", "", ""}, 405, `{"error":"Method not allowed"}`},
		{"unknown path", request{"GET", "/api/nope", "", "", ""}, 404, `{"error":"Not found"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := tt.r.send(e)
			if got := strings.TrimSpace(w.Body.String()); w.Code != tt.status || got != tt.want {
				t.Errorf("status %d, %s\nwant   %d, %s", w.Code, got, tt.status, tt.want)
			}
		})
	}
}

func TestCompressedBody(t *testing.T) {
	t.Parallel()
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range doc.Operations() {
		if op.ReadOnly() {
			continue
		}
		e := newGate(t)
		r, err := http.NewRequest(op.Method, "http://localhost"+strings.NewReplacer("{", "", "}", "").Replace(op.Path), strings.NewReader("\x1f\x8b"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Encoding", "gzip")
		r.Header.Set("Authorization", "Bearer admin")
		w := record(e, r)
		if w.Code != http.StatusUnsupportedMediaType {
			t.Errorf("%s: status %d: %s", op.ID, w.Code, w.Body)
		}
	}
}

// FuzzCanonical sends any body under any content type: the answer is a refusal of the caller or a canonical body,
// which stays as it is when it is sent again.
func FuzzCanonical(f *testing.F) {
	e := newGate(f)
	targets := []string{"/api/challenge/ai", "/api/challenge/bob", "/api/signup", "/api/board/game/abcdefgh/chat", "/api/puzzle/abcde/solve", "/api/users"}
	f.Add(0, jsonType, `{"level":3,"clock.limit":"60.0"}`)
	f.Add(1, formType, `rated=True&color=&days=%00&rules=a&rules=b`)
	f.Add(2, jsonType, `{"username":{"a":[[[[[[[[1]]]]]]]]},"password":null}`)
	f.Add(3, "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nhi\r\n--x--\r\n")
	f.Add(4, "", `moves[]=a&moves=b c,d`)
	f.Add(5, "text/plain", "a,b\xff\x00")
	f.Add(1, jsonType, `{"rated":true,"rated":false,"days":[1e999]}`)
	f.Add(1, "application/json; charset=\"", "{\"rated\":1e400,\"days\":1e400}")
	f.Fuzz(func(t *testing.T, target int, contentType, body string) {
		if strings.ContainsAny(contentType, "\r\n\x00") {
			t.Skip() // no server gets such a header
		}
		r := request{"POST", targets[((target%len(targets))+len(targets))%len(targets)], contentType, body, "all"}
		w := r.send(e)
		if w.Code != http.StatusOK {
			if w.Code < 400 || w.Code >= 500 {
				t.Fatalf("status %d: %s", w.Code, w.Body)
			}
			var failure map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &failure); err != nil || failure["error"] == nil {
				t.Fatalf("the error is %s", w.Body)
			}
			return
		}
		first := r.seen(t, e)
		again := request{"POST", r.target, first.Type, first.Body, "all"}.seen(t, e)
		if first.Body != again.Body {
			t.Errorf("%s becomes %s when it is sent again", first.Body, again.Body)
		}
	})
}
