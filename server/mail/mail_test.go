package mail_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"hoplite/server/mail"
	"hoplite/server/mail/mailtest"
)

func TestSend(t *testing.T) {
	t.Parallel()
	sink := mailtest.Start(t)
	s, err := mail.Parse(sink.URL(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	text := "A first line.\n.\nLéonidas: " + strings.Repeat("x", 200) + "\n"
	if err := s.Send(t.Context(), "leo@sparta.example", "Grüße", text); err != nil {
		t.Fatal(err)
	}
	m := sink.Next(t)
	if m.From != "chess@hoplite.example" || m.To != "leo@sparta.example" || m.Text != text {
		t.Errorf("arrived: %+v", m)
	}
	if from := m.Header.Get("From"); !strings.Contains(from, "Hoplite") || m.Header.Get("Auto-Submitted") != "auto-generated" {
		t.Errorf("header %v", m.Header)
	}
	for _, bad := range [][2]string{{"a@b.example\r\nRCPT TO:<c@d.example>", "x"}, {"a@b.example", "x\r\nBcc: c@d.example"}} {
		if err := s.Send(t.Context(), bad[0], bad[1], text); err == nil {
			t.Errorf("sent %q", bad)
		}
	}
	sink.None(t)
}

// TestSendGivesUp: a server that says nothing must not hold the queue up.
func TestSendGivesUp(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s, err := mail.Parse("smtp://"+l.Addr().String(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Send(ctx, "a@b.example", "x", "y"); err == nil {
		t.Error("sent to nobody")
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"smtp://mail.example", "smtps://user:pass@mail.example:465?from=a@b.example", "smtp://127.0.0.1:25/"} {
		if _, err := mail.Parse(good, time.Now); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "mail.example", "http://mail.example", "smtp://", "smtp://u:secret@h:bad", "smtp://h?to=x", "smtp://h?from=nobody", "smtp://h/path"} {
		if _, err := mail.Parse(bad, time.Now); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
