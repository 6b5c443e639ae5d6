// Package mailtest is an SMTP server for tests, which keeps what it gets.
package mailtest

import (
	"bufio"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// Mail is one mail that arrived.
type Mail struct {
	From, To, Subject, Text string
	Header                  mail.Header
}

// Link returns what follows the # of the first link in the mail.
func (m Mail) Link(t testing.TB) string {
	t.Helper()
	found := regexp.MustCompile(`https?://\S+#(\w+)`).FindStringSubmatch(m.Text)
	if found == nil {
		t.Fatalf("no link with a code in %q", m.Text)
	}
	return found[1]
}

// Sink is a server on a loopback port of its own.
type Sink struct {
	Addr  string
	mails chan Mail
}

// Start runs a server until the test ends.
func Start(t testing.TB) *Sink {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Sink{Addr: l.Addr().String(), mails: make(chan Mail, 64)}
	var open sync.WaitGroup
	t.Cleanup(func() {
		_ = l.Close()
		open.Wait()
	})
	open.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer func() { _ = conn.Close() }()
				_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
				s.talk(conn)
			})
		}
	})
	return s
}

// URL is the address for the server's setting.
func (s *Sink) URL() string { return "smtp://" + s.Addr + "?from=chess@hoplite.example" }

// Next waits for a mail.
func (s *Sink) Next(t testing.TB) Mail {
	t.Helper()
	select {
	case m := <-s.mails:
		return m
	case <-time.After(20 * time.Second):
		t.Fatal("no mail for 20 s")
		return Mail{}
	}
}

// None fails the test if there is a mail that nobody has read.
func (s *Sink) None(t testing.TB) {
	t.Helper()
	select {
	case m := <-s.mails:
		t.Fatalf("an unexpected mail: %+v", m)
	default:
	}
}

// talk is one connection, as far as RFC 5321 asks it of the simplest server.
func (s *Sink) talk(conn net.Conn) {
	r := bufio.NewReader(conn)
	say := func(line string) { fmt.Fprintf(conn, "%s\r\n", line) }
	say("220 sink")
	var m Mail
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		switch verb := strings.ToUpper(line); {
		case strings.HasPrefix(verb, "EHLO"), strings.HasPrefix(verb, "HELO"):
			say("250 sink")
		case strings.HasPrefix(verb, "MAIL FROM:"):
			m = Mail{From: address(line)}
			say("250 ok")
		case strings.HasPrefix(verb, "RCPT TO:"):
			m.To = address(line)
			say("250 ok")
		case verb == "DATA":
			say("354 go on")
			if !m.read(r) {
				return
			}
			s.mails <- m
			say("250 kept")
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("502 not here")
		}
	}
}

func address(line string) string {
	_, rest, _ := strings.Cut(line, "<")
	inner, _, _ := strings.Cut(rest, ">")
	return inner
}

func (m *Mail) read(r *bufio.Reader) bool {
	var b strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return false
		}
		if line == ".\r\n" {
			break
		}
		b.WriteString(strings.TrimPrefix(line, "."))
	}
	got, err := mail.ReadMessage(strings.NewReader(b.String()))
	if err != nil {
		return false
	}
	text, err := io.ReadAll(quotedprintable.NewReader(got.Body))
	if err != nil {
		return false
	}
	m.Header, m.Subject, m.Text = got.Header, got.Header.Get("Subject"), strings.ReplaceAll(string(text), "\r\n", "\n")
	return true
}
