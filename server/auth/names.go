package auth

import (
	"fmt"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	minName     = 2
	maxName     = 20
	minPassword = 8    // characters
	maxPassword = 1024 // bytes
	maxEmail    = 254  // bytes, the longest that SMTP carries
)

// AccountID returns the id of the account that a user name belongs to: names are equal whatever
// their case. It does not say that the name is a valid one.
func AccountID(name string) string {
	return strings.ToLower(name)
}

// CheckName returns why a name cannot be given to a new account, or "" if its form is fine. Only
// ASCII is accepted, so no two names can look alike through another script's letters.
func CheckName(name string) string {
	switch {
	case len(name) < minName:
		return fmt.Sprintf("must have at least %d characters", minName)
	case utf8.RuneCountInString(name) > maxName:
		return fmt.Sprintf("must have at most %d characters", maxName)
	case !letter(name[0]):
		return "must start with a letter from a to z"
	}
	for i := range len(name) {
		if c := name[i]; !letter(c) && !('0' <= c && c <= '9') && c != '_' && c != '-' {
			return "may only have letters from a to z, digits, _ and -"
		}
	}
	if reserved(AccountID(name)) {
		return "is reserved"
	}
	return ""
}

func letter(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z'
}

// reserved names mean something else in a path or beside a game, or would let their holder pass
// for the house.
func reserved(id string) bool {
	switch id {
	case "me", "ai", "open", "anonymous", "lichess", "hoplite", "bot", "admin", "root", "api":
		return true
	}
	return len(id) == 3 && id[:2] == "ai" && '1' <= id[2] && id[2] <= '8'
}

// CheckPassword returns why a password cannot be used for the account called name, or "".
// Length counts, not the mix of characters; any language will do.
func CheckPassword(name, password string) string {
	if !utf8.ValidString(password) {
		return "must be valid UTF-8 text"
	}
	if len(password) > maxPassword {
		return fmt.Sprintf("must have at most %d bytes", maxPassword)
	}
	normal := normalPassword(password)
	first, same, count := rune(-1), true, 0
	for _, r := range normal {
		if unicode.IsControl(r) {
			return "must not have control characters"
		}
		if first < 0 {
			first = r
		}
		same = same && r == first
		count++
	}
	switch {
	case count < minPassword:
		return fmt.Sprintf("must have at least %d characters", minPassword)
	case same:
		return "must not be one character repeated"
	case strings.EqualFold(normal, name):
		return "must not be the user name"
	case common(strings.ToLower(normal)):
		return "is one of the first that anybody would try"
	}
	return ""
}

// common passwords that are long enough to pass otherwise.
func common(password string) bool {
	switch password {
	case "password", "password1", "password12", "password123", "passw0rd", "p@ssw0rd", "12345678", "123456789",
		"1234567890", "87654321", "0123456789", "11223344", "12341234", "qwertyui", "qwertyuiop", "qwerty123",
		"1q2w3e4r", "1qaz2wsx", "asdfghjkl", "abcdefgh", "abcd1234", "iloveyou", "sunshine", "princess",
		"football", "baseball", "superman", "trustno1", "letmein1", "welcome1", "changeme", "checkmate":
		return true
	}
	return false
}

// normalPassword makes the same password typed on two machines the same bytes: composed and
// decomposed accents, and full-width letters, are one (NIST SP 800-63B, 5.1.1.2).
func normalPassword(password string) string {
	return norm.NFKC.String(password)
}

// CheckEmail returns why an address cannot be kept, or "". It looks at the form only.
func CheckEmail(email string) string {
	if len(email) > maxEmail {
		return fmt.Sprintf("must have at most %d bytes", maxEmail)
	}
	address, err := mail.ParseAddress(email)
	if err != nil || address.Address != email || strings.ContainsFunc(email, unicode.IsSpace) {
		return "is not an e-mail address"
	}
	return ""
}
