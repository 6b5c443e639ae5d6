package account_test

import (
	"net/url"
	"testing"

	"hoplite/server/servertest"
)

func TestPreferences(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ann := s.SignUp(t, "Ann")
	type answer struct {
		Prefs    map[string]any
		Language string
	}
	var before, after, again answer
	ann.Get(t, "/api/account/preferences").Want(t, 200).JSON(t, &before)
	if before.Prefs["scheme"] != "system" || before.Prefs["coords"] != 1.0 || before.Prefs["volume"] != 70.0 || before.Language != "en-US" {
		t.Errorf("at first: %v", before)
	}
	ann.PostJSON(t, "/api/account/preferences", map[string]any{
		"scheme": "dark", "coords": 0, "premove": false, "volume": 0, "soundSet": "silent",
	}).Want(t, 200).JSON(t, &after)
	want := before.Prefs
	want["scheme"], want["dark"], want["coords"], want["premove"], want["volume"], want["soundSet"] = "dark", true, 0.0, false, 0.0, "silent"
	check := func(when string, got answer) {
		t.Helper()
		for name, value := range want {
			if got.Prefs[name] != value {
				t.Errorf("%s: %s is %v, want %v", when, name, got.Prefs[name], value)
			}
		}
	}
	check("changed", after)
	// A form does as well, and changes only what it names.
	ann.Post(t, "/api/account/preferences", url.Values{"autoQueen": {"3"}, "premove": {"yes"}, "scheme": {"light"}}).Want(t, 200)
	want["autoQueen"], want["premove"], want["scheme"], want["dark"] = 3.0, true, "light", false
	ann.Get(t, "/api/account/preferences").Want(t, 200).JSON(t, &again)
	check("changed by a form", again)

	for body, field := range map[string]string{
		`{"coords":4}`:             `{"coords":["must be at most 3"]}`,
		`{"autoQueen":0}`:          `{"autoQueen":["must be at least 1"]}`,
		`{"premove":"perhaps"}`:    `{"premove":["must be true or false"]}`,
		`{"scheme":"pink"}`:        `{"scheme":["must be one of: system, light, dark"]}`,
		`{"volume":101}`:           `{"volume":["must be at most 100"]}`,
		`{"colour":"pink"}`:        `{"colour":["is not a field of this request"]}`,
		`{"premove":true,"zen":9}`: `{"zen":["must be at most 2"]}`,
	} {
		a := ann.PostJSON(t, "/api/account/preferences", raw(body)).Want(t, 400)
		if got := a.Error(t); got != field {
			t.Errorf("%s: %s, want %s", body, got, field)
		}
	}
	ann.Get(t, "/api/account/preferences").Want(t, 200).JSON(t, &again)
	check("after refusals", again)
	s.Anonymous().PostJSON(t, "/api/account/preferences", map[string]any{"coords": 1}).Want(t, 401)
}

// raw is JSON that is sent as it is.
type raw string

func (r raw) MarshalJSON() ([]byte, error) { return []byte(r), nil }
