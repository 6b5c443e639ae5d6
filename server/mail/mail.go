// Package mail sends plain text mails through an SMTP server.
package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/smtp"
	"net/url"
	"strings"
	"time"
)

// Sender sends mails through one server, a connection for each.
type Sender struct {
	addr     string
	host     string
	implicit bool // TLS from the first byte
	auth     smtp.Auth
	from     mail.Address
	now      func() time.Time
}

// Parse reads the address of a server: smtp://HOST:PORT, with TLS where the server offers it, or smtps://HOST:PORT, with
// TLS from the start; USER:PASSWORD@ before the host logs in, and ?from=ADDRESS says who writes. Without a from it is
// hoplite at the host.
func Parse(text string, now func() time.Time) (*Sender, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("SMTP server: not an address") // the error would show the password
	}
	s := &Sender{host: u.Hostname(), now: now}
	port := u.Port()
	switch u.Scheme {
	case "smtp":
		if port == "" {
			port = "587"
		}
	case "smtps":
		s.implicit = true
		if port == "" {
			port = "465"
		}
	default:
		return nil, fmt.Errorf("SMTP server: want smtp:// or smtps://, not %s://", u.Scheme)
	}
	if s.host == "" || strings.Trim(u.Path, "/") != "" {
		return nil, errors.New("SMTP server: want smtp://USER:PASSWORD@HOST:PORT?from=ADDRESS")
	}
	s.addr = net.JoinHostPort(s.host, port)
	for name := range u.Query() {
		if name != "from" {
			return nil, fmt.Errorf("SMTP server: unknown setting %s", name)
		}
	}
	from := u.Query().Get("from")
	if from == "" {
		from = "hoplite@" + s.host
	}
	address, err := mail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("SMTP server: from %q is not an address", from)
	}
	if s.from = *address; s.from.Name == "" {
		s.from.Name = "Hoplite"
	}
	if u.User != nil {
		password, _ := u.User.Password()
		s.auth = smtp.PlainAuth("", u.User.Username(), password, s.host) // refuses to go unencrypted, but on loopback
	}
	return s, nil
}

// Send sends one mail. It waits no longer than ctx lives.
func (s *Sender) Send(ctx context.Context, to, subject, text string) error {
	if strings.ContainsAny(to, "\r\n") || strings.ContainsAny(subject, "\r\n") {
		return errors.New("mail: a line end in a header")
	}
	conn, err := s.dial(ctx)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	client, err := smtp.NewClient(conn, s.host)
	if err != nil {
		_ = conn.Close()
		return fmt.Errorf("mail: %w", err)
	}
	defer func() { _ = client.Close() }()
	if err := s.deliver(client, to, s.message(to, subject, text)); err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	return nil
}

func (s *Sender) dial(ctx context.Context) (net.Conn, error) {
	if s.implicit {
		return (&tls.Dialer{Config: s.tls()}).DialContext(ctx, "tcp", s.addr)
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", s.addr)
}

func (s *Sender) tls() *tls.Config {
	return &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}
}

func (s *Sender) deliver(c *smtp.Client, to, message string) error {
	if ok, _ := c.Extension("STARTTLS"); ok && !s.implicit {
		if err := c.StartTLS(s.tls()); err != nil {
			return err
		}
	}
	if s.auth != nil {
		if err := c.Auth(s.auth); err != nil {
			return err
		}
	}
	if err := c.Mail(s.from.Address); err != nil {
		return err
	}
	if err := c.Rcpt(to); err != nil {
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte(message)); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return c.Quit()
}

// message is the mail as it goes over the line.
func (s *Sender) message(to, subject, text string) string {
	var b strings.Builder
	header := func(name, value string) { fmt.Fprintf(&b, "%s: %s\r\n", name, value) }
	header("From", s.from.String())
	header("To", (&mail.Address{Address: to}).String())
	header("Subject", mime.QEncoding.Encode("utf-8", subject))
	header("Date", s.now().Format(time.RFC1123Z))
	header("MIME-Version", "1.0")
	header("Content-Type", "text/plain; charset=utf-8")
	header("Content-Transfer-Encoding", "quoted-printable")
	header("Auto-Submitted", "auto-generated")
	b.WriteString("\r\n")
	body := quotedprintable.NewWriter(&b) // a strings.Builder takes everything
	_, _ = body.Write([]byte(text))
	_ = body.Close()
	return b.String()
}
