package lichess

import "strings"

// maxName is how many characters the name of an account may have.
const maxName = 20

// AccountID turns a name as a caller wrote it into an account id; ok is false
// if no account can have that name, so that it is not worth asking the store.
func AccountID(name string) (id string, ok bool) {
	if name == "" || len(name) > maxName {
		return "", false
	}
	for i := range len(name) {
		c := name[i]
		if !('a' <= c|0x20 && c|0x20 <= 'z') && !('0' <= c && c <= '9') && c != '_' && c != '-' {
			return "", false
		}
	}
	return strings.ToLower(name), true
}
