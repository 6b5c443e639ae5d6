package auth

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCheckName(t *testing.T) {
	t.Parallel()
	good := []string{"ab", "Ann", "a1", "Zz-_-9", "ai9", "ai0", "ai10", "mee", "openup", strings.Repeat("a", 20), "x--__"}
	for _, name := range good {
		if why := CheckName(name); why != "" {
			t.Errorf("CheckName(%q) = %q, want it accepted", name, why)
		}
	}
	bad := []struct{ label, name, why string }{
		{"empty", "", "at least 2"},
		{"one letter", "a", "at least 2"},
		{"too long", strings.Repeat("a", 21), "at most 20"},
		{"long in characters", "a" + strings.Repeat("é", 20), "at most 20"},
		{"digit first", "1ab", "start with a letter"},
		{"dash first", "-ab", "start with a letter"},
		{"underscore first", "_ab", "start with a letter"},
		{"space", "a b", "may only have"},
		{"space after", "ab ", "may only have"},
		{"newline", "ab\n", "may only have"},
		{"nul", "ab\x00c", "may only have"},
		{"accent", "andré", "may only have"},
		{"combining accent", "andre\u0301", "may only have"},
		{"cyrillic look-alike first", "\u0430nn", "start with a letter"},
		{"cyrillic look-alike later", "\u0061\u043d\u043d", "may only have"},
		{"kelvin sign", "a\u212aelvin", "may only have"},
		{"dotless i", "adm\u0131n", "may only have"},
		{"zero width joiner", "a\u200db", "may only have"},
		{"right to left mark", "ab\u202e", "may only have"},
		{"full width", "\uff41\uff42", "start with a letter"},
		{"emoji", "ann😀", "may only have"},
		{"broken utf-8", "an\xff", "may only have"},
		{"slash", "a/b", "may only have"},
		{"dot", "a.b", "may only have"},
		{"comma", "a,b", "may only have"},
		{"reserved me", "me", "reserved"},
		{"reserved in capitals", "ADMIN", "reserved"},
		{"reserved lichess", "LiChess", "reserved"},
		{"reserved hoplite", "Hoplite", "reserved"},
		{"reserved root", "root", "reserved"},
		{"reserved api", "api", "reserved"},
		{"reserved open", "open", "reserved"},
		{"reserved anonymous", "Anonymous", "reserved"},
		{"reserved bot", "Bot", "reserved"},
		{"reserved ai", "ai", "reserved"},
		{"reserved ai1", "AI1", "reserved"},
		{"reserved ai8", "ai8", "reserved"},
	}
	for _, c := range bad {
		t.Run(c.label, func(t *testing.T) {
			t.Parallel()
			if why := CheckName(c.name); !strings.Contains(why, c.why) {
				t.Errorf("CheckName(%q) = %q, want something about %q", c.name, why, c.why)
			}
		})
	}
}

func TestCheckPassword(t *testing.T) {
	t.Parallel()
	good := []string{"correct horse", "пароль-без-смысла", "🐎🔋📎✅🐎🔋📎✅", "eight ch", strings.Repeat("ab", 512)}
	for _, p := range good {
		if why := CheckPassword("ann", p); why != "" {
			t.Errorf("CheckPassword(%q) = %q, want it accepted", p, why)
		}
	}
	bad := []struct{ label, password, why string }{
		{"empty", "", "at least 8"},
		{"seven characters", "abc4567", "at least 8"},
		{"seven wide characters", "пароль7", "at least 8"},
		{"eight runes that compose to four", "e\u0301a\u0301o\u0301u\u0301", "at least 8"},
		{"too long", strings.Repeat("ab", 513), "at most 1024"},
		{"the name", "Annabella", "must not be the user name"},
		{"the name in other case", "ANNABELLA", "must not be the user name"},
		{"one character", "zzzzzzzzzz", "repeated"},
		{"common", "Password1", "first that anybody"},
		{"common in full width", "ｐａｓｓｗｏｒｄ", "first that anybody"},
		{"control", "abcdefg\x00h", "control"},
		{"newline", "abcdefgh\n", "control"},
		{"broken utf-8", "abcdefgh\xff", "UTF-8"},
	}
	for _, c := range bad {
		t.Run(c.label, func(t *testing.T) {
			t.Parallel()
			if why := CheckPassword("annabella", c.password); !strings.Contains(why, c.why) {
				t.Errorf("CheckPassword(%q) = %q, want something about %q", c.password, why, c.why)
			}
		})
	}
}

func TestCheckEmail(t *testing.T) {
	t.Parallel()
	for _, email := range []string{"a@b.org", "ann.b+chess@example.com"} {
		if why := CheckEmail(email); why != "" {
			t.Errorf("CheckEmail(%q) = %q, want it accepted", email, why)
		}
	}
	long := strings.Repeat("a", 250) + "@b.org"
	for _, email := range []string{"", "ann", "ann@", "@b.org", "Ann <ann@b.org>", "a@b.org, c@d.org", "a@b.org\nBcc: c@d.org", " a@b.org", long} {
		if why := CheckEmail(email); why == "" {
			t.Errorf("CheckEmail(%q) accepted it", email)
		}
	}
}

func FuzzCheckName(f *testing.F) {
	for _, s := range []string{"ann", "Ann-1", "ai3", "\u212aing", "a\xff", "me", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if CheckName(name) != "" {
			return
		}
		id := AccountID(name)
		if !utf8.ValidString(name) || len(id) != len(name) || !strings.EqualFold(id, name) {
			t.Errorf("accepted name %q has id %q, which is not the same letters", name, id)
		}
		if CheckName(id) != "" || AccountID(id) != id {
			t.Errorf("id %q of accepted name %q is not a name itself", id, name)
		}
		if strings.ContainsAny(name, "/?#,. \n@%") {
			t.Errorf("accepted name %q cannot stand in a path or list", name)
		}
	})
}
