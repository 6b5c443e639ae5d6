package server

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"hoplite/server/api"
)

// answerPatience is how long a plain answer may take to be read. Streams set deadlines of their own.
const answerPatience = 30 * time.Second

// begin gives a request its id, finds out where it comes from, and logs it. The log has the route, never the address
// asked for: that may hold a token.
func (s *Server) begin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := s.now()
		r := c.Request()
		setDeadlines(c, r)
		endHead(c)
		client := api.Client{
			IP:        c.RealIP(),
			UserAgent: clip(r.UserAgent(), 256),
			RequestID: s.requestID(r),
			Secure:    s.secure(r),
			OIDC:      cookieOf(r, api.OIDCCookie),
			Accept:    r.Header.Get("Accept"),
		}
		c.SetRequest(r.WithContext(api.WithClient(r.Context(), client)))
		c.Response().Header().Set("X-Request-Id", client.RequestID)
		if len(r.TransferEncoding) > 0 {
			// The HTTP library drops a Content-Length beside chunks without a word, so whoever forwarded the request may
			// have counted otherwise: what follows on the connection is nobody's request (RFC 9112, 6.1).
			c.Response().Header().Set("Connection", "close")
		}
		err := next(c)
		if err != nil {
			c.Error(err)
		}
		took := s.now().Sub(start)
		s.measureRequest(c, took)
		s.log.DebugContext(r.Context(), "request", slog.String("request", client.RequestID),
			slog.String("method", r.Method), slog.String("route", c.Path()), slog.Int("status", c.Response().Status),
			slog.Duration("took", took), slog.String("ip", client.IP),
			slog.String("account", api.Caller(c.Request().Context()).AccountID))
		return nil
	}
}

// requestID names a request: as the proxy before us does, if we believe it, else anew.
func (s *Server) requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); wellFormedID(id) && s.trusts(r.RemoteAddr) {
		return id
	}
	return rand.Text()[:16]
}

func wellFormedID(id string) bool {
	return len(id) >= 8 && len(id) <= 64 && !strings.ContainsFunc(id, func(c rune) bool {
		return c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	})
}

// setDeadlines bounds how long a plain request may hold its connection. Deadlines are real time, whatever s.now says.
// Each request sets them anew, since a stream before it on the same connection had others.
func setDeadlines(c echo.Context, r *http.Request) {
	control := http.NewResponseController(c.Response())
	now := time.Now()
	_ = control.SetWriteDeadline(now.Add(answerPatience))
	if r.Body != nil && r.Body != http.NoBody {
		_ = control.SetReadDeadline(now.Add(api.BodyPatience))
	}
}

func cookieOf(r *http.Request, name string) string {
	if c, err := r.Cookie(name); err == nil {
		return c.Value
	}
	return ""
}

func clip(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "")
	}
	return strings.ToValidUTF8(s, "")
}

// secure says whether the caller's own connection is encrypted, with us or with the proxy before us.
func (s *Server) secure(r *http.Request) bool {
	if r.TLS != nil || s.https {
		return true
	}
	return s.trusts(r.RemoteAddr) && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

// trusts says whether a peer is a proxy whose forwarding headers count.
func (s *Server) trusts(remote string) bool {
	ip, ok := addrOf(remote)
	if !ok {
		return false
	}
	for _, prefix := range s.config.TrustedProxies {
		if prefix.Contains(ip) {
			return true
		}
	}
	return false
}

// recover turns a panic into a 500. http.ErrAbortHandler goes on: it cuts an answer off on purpose.
func (s *Server) recover(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			switch p := recover(); {
			case p == nil:
			case p == http.ErrAbortHandler: //nolint:errorlint // the sentinel itself is what is thrown
				panic(p)
			default:
				err = &panicError{value: p, stack: debug.Stack()}
			}
		}()
		return next(c)
	}
}

type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// extractor finds a caller's address: that of the peer, unless it is a proxy that we trust. Echo's own default would
// believe what anybody writes into X-Forwarded-For.
func (s *Server) extractor() echo.IPExtractor {
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, prefix := range s.config.TrustedProxies {
		_, network, err := net.ParseCIDR(prefix.Masked().String())
		if err == nil {
			options = append(options, echo.TrustIPRange(network))
		}
	}
	if len(s.config.TrustedProxies) == 0 {
		return echo.ExtractIPDirect()
	}
	return echo.ExtractIPFromXFFHeader(options...)
}

// forwarded says whether a request came through a proxy, trusted or not.
func forwarded(r *http.Request) bool {
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "X-Forwarded-Host", "Via"} {
		if r.Header.Get(name) != "" {
			return true
		}
	}
	return false
}

// closedError says whether serving ended because it was told to.
func closedError(err error) bool {
	return errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed)
}
