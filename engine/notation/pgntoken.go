package notation

import (
	"errors"
	"io"
	"strings"
)

// peek returns the next token without taking it. A *PGNError leaves the reader behind the offending text.
func (p *pgn) peek() (*token, error) {
	if p.ahead == nil {
		t, err := p.token()
		if err != nil {
			return nil, err
		}
		p.ahead = t
	}
	return p.ahead, nil
}

func (p *pgn) read() (byte, error) {
	b, err := p.in.ReadByte()
	p.lineStart = err == nil && b == '\n'
	if p.lineStart {
		p.line++
	}
	return b, err
}

func (p *pgn) unread(b byte) {
	if p.in.UnreadByte() == nil && b == '\n' {
		p.line--
	}
	p.lineStart = false
}

func (p *pgn) token() (*token, error) {
	for {
		atLineStart := p.lineStart
		b, err := p.read()
		if errors.Is(err, io.EOF) {
			return &token{kind: endOfInput}, nil
		}
		if err != nil {
			return nil, err
		}
		switch {
		case b == '%' && atLineStart, b == ';':
			text, err := p.until('\n')
			if err != nil {
				return nil, err
			}
			if b == ';' {
				return &token{kind: commentToken, text: text}, nil
			}
			p.lineStart = true
		case b == '{':
			text, err := p.until('}')
			if err != nil {
				return nil, err
			}
			return &token{kind: commentToken, text: text}, nil
		case b == '(' && p.exchange():
			rest, err := p.until(')')
			if err != nil {
				return nil, err
			}
			t, err := p.word(')')
			if err != nil {
				return nil, err
			}
			t.text = "(" + rest + t.text
			return t, nil
		case b == '(':
			return &token{kind: openToken}, nil
		case b == ')':
			return &token{kind: closeToken}, nil
		case b == '[':
			return p.tag()
		case b <= ' ' || b == '.' || b == '\xef' || b == '\xbb' || b == '\xbf': // blanks, dots, a byte order mark
			if b >= '\xbb' {
				p.lineStart = atLineStart
			}
		default:
			t, err := p.word(b)
			if t != nil || err != nil {
				return t, err
			}
		}
	}
}

// exchange reports whether what follows an opening bracket is an exchange of prisoners, such as (N-B)B@f7, and not a
// variation.
func (p *pgn) exchange() bool {
	next, err := p.in.Peek(4)
	return err == nil && isCapital(next[0]) && next[1] == '-' && isCapital(next[2]) && next[3] == ')'
}

func isCapital(b byte) bool { return b >= 'A' && b <= 'Z' }

// until reads up to and without the closing byte. A line comment may be ended by the end of the input.
func (p *pgn) until(end byte) (string, error) {
	var b strings.Builder
	for {
		c, err := p.read()
		if errors.Is(err, io.EOF) {
			if end == '\n' {
				return b.String(), nil
			}
			return "", p.fail(nil, "a comment without end")
		}
		if err != nil {
			return "", err
		}
		if c == end {
			return b.String(), nil
		}
		if b.Len() == maxPGNToken {
			return "", p.fail(nil, "a comment of more than %d bytes", maxPGNToken)
		}
		b.WriteByte(c)
	}
}

// word reads a move, a result, a move number or a numeric mark; the last two give no token.
func (p *pgn) word(first byte) (*token, error) {
	var b strings.Builder
	b.WriteByte(first)
	for {
		c, err := p.read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		// A bracket after the sign of capture belongs to the move: it lists the men taken elsewhere.
		lists := c == '(' && strings.HasSuffix(b.String(), "x") || c == ')' && strings.Contains(b.String(), "x(")
		if c <= ' ' || strings.IndexByte("{}()[];.", c) >= 0 && !lists {
			p.unread(c)
			break
		}
		if b.Len() == maxPGNToken {
			return nil, p.fail(nil, "a word of more than %d bytes", maxPGNToken)
		}
		b.WriteByte(c)
	}
	text := b.String()
	switch {
	case text == "1-0" || text == "0-1" || text == "1/2-1/2" || text == "*":
		return &token{kind: resultToken, text: text}, nil
	case text[0] == '$', strings.Trim(text, "0123456789") == "", strings.Trim(text, "!?") == "", text == "e", text == "p":
		return nil, nil // numeric marks, move numbers, comment marks, "e.p."
	}
	return &token{kind: moveToken, text: text}, nil
}

// tag reads a header line after its opening bracket.
func (p *pgn) tag() (*token, error) {
	line, err := p.tagLine()
	if err != nil {
		return nil, err
	}
	name, value, ok := strings.Cut(line, "\x00")
	name = strings.TrimSpace(name)
	if !ok || name == "" || strings.ContainsAny(name, " \t\"") {
		return nil, p.fail(nil, "a tag without a name or a value in quotes")
	}
	return &token{kind: tagToken, tag: Tag{Name: name, Value: value}}, nil
}

// tagLine reads up to the closing bracket and returns name and value with a zero byte between them.
func (p *pgn) tagLine() (string, error) {
	var b strings.Builder
	quoted, closed := false, false
	for {
		c, err := p.read()
		if errors.Is(err, io.EOF) || err == nil && c == '\n' {
			return "", p.fail(nil, "a tag without end")
		}
		if err != nil {
			return "", err
		}
		if b.Len() >= maxPGNToken {
			return "", p.fail(nil, "a tag of more than %d bytes", maxPGNToken)
		}
		switch {
		case quoted && c == '\\':
			if c, err = p.read(); err != nil || c == '\n' {
				return "", p.fail(nil, "a tag without end")
			}
			b.WriteByte(c)
		case c == '"' && !quoted && !closed:
			quoted = true
			b.WriteByte(0)
		case c == '"' && quoted:
			quoted, closed = false, true
		case c == ']' && !quoted:
			return b.String(), nil
		case c == 0:
			return "", p.fail(nil, "a zero byte in a tag")
		case closed && c > ' ':
			return "", p.fail(nil, "text after the value of a tag")
		case closed:
		default:
			b.WriteByte(c)
		}
	}
}
