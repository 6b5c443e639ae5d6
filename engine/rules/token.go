package rules

import "strings"

// tokenLen returns the length of the token of a man at the start of text, or 0 if there is none: a letter, with + before
// and any of ' or ~ after it, or the mark of a neutral man (rules README 4.3).
func tokenLen(text string) int {
	if strings.HasPrefix(text, neutralLetter) {
		return len(neutralLetter)
	}
	n := 0
	if strings.HasPrefix(text, "+") {
		n = 1
	}
	if n == len(text) || !isLetter(text[n]) {
		return 0
	}
	for n++; n < len(text) && (text[n] == '\'' || text[n] == '~'); n++ {
	}
	return n
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

// isToken reports whether text is the token of a type: of a man in capitals.
func isToken(text string) bool {
	return text != "" && tokenLen(text) == len(text) && text == strings.ToUpper(text)
}

// Tokens splits a row of tokens of men, such as "KQR+P".
func Tokens(text string) []string { return tokens(text) }

// tokens splits a row of tokens. What is no token makes one of its own.
func tokens(text string) []string {
	var list []string
	for text != "" {
		n := max(tokenLen(text), 1)
		list = append(list, text[:n])
		text = text[n:]
	}
	return list
}
