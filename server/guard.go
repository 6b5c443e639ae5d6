package server

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"hoplite/server/api"
)

// Content security policies. The engine of the page is WebAssembly; the reader of the docs page sets styles in the
// document.
const (
	policyData = "default-src 'none'; frame-ancestors 'none'"
	policyPage = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; worker-src 'self'; " +
		"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	policyDocs = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; " +
		"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

// guard refuses requests for foreign hosts, says what browsers may do with the answer, and answers preflights.
func (s *Server) guard(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		s.securityHeaders(c.Response().Header(), r.URL.Path)
		if !s.serves(r) {
			return api.Refuse(http.StatusMisdirectedRequest, "This server does not serve that host name")
		}
		if !isAPI(r.URL.Path) {
			c.Response().Before(func() { s.hintSession(c) })
		}
		if openToOrigins(r.URL.Path) {
			h := c.Response().Header()
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Access-Control-Expose-Headers", "Retry-After, X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Request-Id")
			if r.Method == http.MethodOptions {
				h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE")
				h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, Idempotency-Key")
				h.Set("Access-Control-Max-Age", "86400")
				return c.NoContent(http.StatusNoContent)
			}
		}
		return next(c)
	}
}

// openToOrigins says whether pages of other sites may read what is at a path.
func openToOrigins(path string) bool {
	return isAPI(path) || path == "/healthz" || path == specPath || path == socketSpecPath
}

// isAPI says whether a path belongs to the API, so that what is missing there is a JSON error.
func isAPI(path string) bool {
	return path == "/api" || strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/game/export/")
}

func (s *Server) securityHeaders(h http.Header, path string) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	switch {
	case isAPI(path) || path == "/healthz":
		h.Set("Content-Security-Policy", policyData)
		h.Set("Cache-Control", "no-store") // unless the handler knows better
	case path == docsPath || strings.HasPrefix(path, docsPath+"/"):
		h.Set("Content-Security-Policy", policyDocs)
	default:
		h.Set("Content-Security-Policy", policyPage)
	}
	if s.https {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// serves says whether the request's host is ours. On loopback a page of another site could otherwise reach the server
// under a name of its own that resolves to this machine.
func (s *Server) serves(r *http.Request) bool {
	if !s.loopback || fromInside(r.Context()) {
		return true
	}
	host := hostname(r.Host)
	return loopbackHost(host) || s.urlHost != "" && strings.EqualFold(host, s.urlHost)
}

func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

func addrOf(remote string) (netip.Addr, bool) {
	ap, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}, false
	}
	return ap.Addr().Unmap().WithZone(""), true
}

// crossOrigin lets a cookie count only for requests of our own page, and lets no other site log somebody in. What
// carries a token is not a browser's doing, and passes.
func (s *Server) crossOrigin() echo.MiddlewareFunc {
	protection := http.NewCrossOriginProtection()
	if u, err := url.Parse(s.config.URL); err == nil && u.Host != "" {
		// A proxy may hand us another Host than the browser used.
		_ = protection.AddTrustedOrigin(u.Scheme + "://" + u.Host)
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if r.Header.Get("Authorization") != "" || !s.cookieCounts(c) {
				return next(c)
			}
			if err := protection.Check(r); err != nil {
				return api.Refuse(http.StatusForbidden, "Another site's page may not do this")
			}
			return next(c)
		}
	}
}

func (s *Server) cookieCounts(c echo.Context) bool {
	if _, err := c.Request().Cookie(api.SessionCookie); err == nil {
		return true
	}
	op := api.OperationOf(c)
	return op != nil && (op.ID == "login" || op.ID == "signup" || op.ID == "oidcLogin")
}
