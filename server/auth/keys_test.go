package auth

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func claimsAt(now time.Time) sessionClaims {
	return sessionClaims{
		Subject: "ann", ID: "0123456789",
		IssuedAt:  jwt.NewNumericDate(now),
		ExpiresAt: jwt.NewNumericDate(now.Add(SessionLife)),
	}
}

func mustSign(t *testing.T, keys []key, claims sessionClaims) string {
	t.Helper()
	token, err := sign(keys, claims)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestSessionTokenRoundTrip(t *testing.T) {
	t.Parallel()
	keys := []key{newKey(noon)}
	token := mustSign(t, keys, claimsAt(noon))
	claims, err := verify(keys, token, noon.Add(time.Hour))
	if err != nil || claims.Subject != "ann" || claims.ID != "0123456789" {
		t.Fatalf("verify = %+v, %v", claims, err)
	}
	if kid, ok := tokenKeyID(token); !ok || kid != keys[0].ID {
		t.Errorf("kid = %q, %v, want %q", kid, ok, keys[0].ID)
	}
}

func TestSessionTokenRefused(t *testing.T) {
	t.Parallel()
	keys := []key{newKey(noon)}
	good := mustSign(t, keys, claimsAt(noon))
	parts := strings.Split(good, ".")
	b64 := base64.RawURLEncoding
	header := func(text string) string { return b64.EncodeToString([]byte(text)) }

	with := func(change func(*jwt.Token, *sessionClaims), method jwt.SigningMethod, secret any) string {
		claims := claimsAt(noon)
		claims.Issuer, claims.Audience = issuer, jwt.ClaimStrings{audience}
		token := jwt.NewWithClaims(method, &claims)
		token.Header["kid"] = keys[0].ID
		change(token, &claims)
		text, err := token.SignedString(secret)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	nothing := func(*jwt.Token, *sessionClaims) {}
	claim := func(change func(*sessionClaims)) string {
		return with(func(_ *jwt.Token, c *sessionClaims) { change(c) }, jwt.SigningMethodHS256, keys[0].Secret)
	}
	if _, err := verify(keys, with(nothing, jwt.SigningMethodHS256, keys[0].Secret), noon); err != nil {
		t.Fatalf("the unchanged token of this test is refused: %v", err)
	}

	cases := map[string]string{
		"empty":             "",
		"no dots":           "abcdef",
		"cut":               good[:len(good)-2],
		"other signature":   parts[0] + "." + parts[1] + "." + b64.EncodeToString(make([]byte, 32)),
		"alg none":          header(`{"alg":"none","kid":"`+keys[0].ID+`"}`) + "." + parts[1] + ".",
		"alg none signed":   header(`{"alg":"none","kid":"`+keys[0].ID+`"}`) + "." + parts[1] + "." + parts[2],
		"alg HS512":         with(nothing, jwt.SigningMethodHS512, keys[0].Secret),
		"other secret":      with(nothing, jwt.SigningMethodHS256, []byte("another secret")),
		"unknown kid":       with(func(t *jwt.Token, _ *sessionClaims) { t.Header["kid"] = "ffff" }, jwt.SigningMethodHS256, keys[0].Secret),
		"no kid":            with(func(t *jwt.Token, _ *sessionClaims) { delete(t.Header, "kid") }, jwt.SigningMethodHS256, keys[0].Secret),
		"kid not a string":  with(func(t *jwt.Token, _ *sessionClaims) { t.Header["kid"] = 7 }, jwt.SigningMethodHS256, keys[0].Secret),
		"other issuer":      claim(func(c *sessionClaims) { c.Issuer = "elsewhere" }),
		"no issuer":         claim(func(c *sessionClaims) { c.Issuer = "" }),
		"other audience":    claim(func(c *sessionClaims) { c.Audience = jwt.ClaimStrings{"mail"} }),
		"no expiry":         claim(func(c *sessionClaims) { c.ExpiresAt = nil }),
		"expired":           claim(func(c *sessionClaims) { c.ExpiresAt = jwt.NewNumericDate(noon.Add(-time.Second)) }),
		"not yet":           claim(func(c *sessionClaims) { c.NotBefore = jwt.NewNumericDate(noon.Add(time.Hour)) }),
		"no session id":     claim(func(c *sessionClaims) { c.ID = "" }),
		"no subject":        claim(func(c *sessionClaims) { c.Subject = "" }),
		"not a JSON header": header("kid") + "." + parts[1] + "." + parts[2],
	}
	for label, token := range cases {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			if claims, err := verify(keys, token, noon); err == nil {
				t.Errorf("accepted: %+v", claims)
			}
		})
	}
}

func TestRotation(t *testing.T) {
	t.Parallel()
	first := []key{newKey(noon)}
	old := mustSign(t, first, claimsAt(noon))
	later := noon.Add(24 * time.Hour)
	second := rotated(first, later)
	if len(second) != 2 || second[0].ID == first[0].ID {
		t.Fatalf("rotated keys: %d, newest is still the old one: %v", len(second), second[0].ID == first[0].ID)
	}
	if kid, _ := tokenKeyID(mustSign(t, second, claimsAt(later))); kid != second[0].ID {
		t.Errorf("a new token is signed by %q, want the new key %q", kid, second[0].ID)
	}
	if _, err := verify(second, old, noon.Add(SessionLife-time.Minute)); err != nil {
		t.Errorf("the old session ended before its time: %v", err)
	}
	if _, err := verify(second, mustSign(t, first, claimsAt(later.Add(SessionLife))), later.Add(SessionLife+time.Hour)); err == nil {
		t.Error("a token signed with the old key after it was retired is accepted")
	}
	third := rotated(second, later.Add(SessionLife))
	if len(third) != 2 {
		t.Errorf("%d keys after the oldest ran out, want 2", len(third))
	}
	many := first
	for i := range 50 {
		many = rotated(many, noon.Add(time.Duration(i)*time.Minute))
	}
	if len(many) > oldestKeysKept+1 {
		t.Errorf("%d keys kept", len(many))
	}
}

func TestKeysFromEnvironment(t *testing.T) {
	t.Parallel()
	keys, err := keysFromEnvironment("the-newer-secret-of-two, the-older-secret-of-two")
	if err != nil || len(keys) != 2 {
		t.Fatalf("keys = %d, %v", len(keys), err)
	}
	older, err := keysFromEnvironment("the-older-secret-of-two")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := verify(keys, mustSign(t, older, claimsAt(noon)), noon); err != nil {
		t.Errorf("a session of the older secret is refused: %v", err)
	}
	for _, bad := range []string{"", "short", "long enough to be good,", "long enough to be good,short"} {
		if _, err := keysFromEnvironment(bad); err == nil {
			t.Errorf("keysFromEnvironment(%q) accepted it", bad)
		}
	}
}

func FuzzVerify(f *testing.F) {
	keys := []key{newKey(noon)}
	good, err := sign(keys, claimsAt(noon))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add("a.b.c")
	f.Add(strings.Repeat(".", 100))
	f.Fuzz(func(t *testing.T, token string) {
		claims, err := verify(keys, token, noon)
		if err == nil && (token != good || claims.Subject != "ann") {
			t.Errorf("accepted %q", token)
		}
	})
}

func FuzzWellFormedToken(f *testing.F) {
	f.Add(PersonalPrefix + randomText(tokenChars))
	f.Add("lip_")
	f.Add("lio_\u00e9")
	f.Fuzz(func(t *testing.T, text string) {
		if !wellFormedToken(text) {
			return
		}
		if len(text) != 36 || strings.ContainsAny(text, " ,\n\x00_") && strings.Count(text, "_") != 1 {
			t.Errorf("accepted %q", text)
		}
	})
}

func TestNewTokensAreWellFormed(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 200 {
		token := PersonalPrefix + randomText(tokenChars)
		if !wellFormedToken(token) || seen[token] {
			t.Fatalf("token %q is malformed or repeated", token)
		}
		seen[token] = true
	}
	good := PersonalPrefix + strings.Repeat("a", 32)
	for _, bad := range []string{"", "lip_", good + "a", good[:35], " " + good, good + "\n", "lix_" + good[4:], "LIP_" + good[4:], good[:35] + "é", good[:35] + "_"} {
		if wellFormedToken(bad) {
			t.Errorf("wellFormedToken(%q) accepted it", bad)
		}
	}
}
