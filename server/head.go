package server

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"
)

// headAsGet answers HEAD as GET. net/http, which knows the request as it came, leaves the body away.
func headAsGet(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			ctx, end := context.WithCancel(r.Context())
			defer end()
			r = r.WithContext(context.WithValue(ctx, headKey{}, end))
			r.Method = http.MethodGet
		}
		h.ServeHTTP(w, r)
	})
}

// headKey is the key of what ends the answer to a HEAD request.
type headKey struct{}

// endHead ends a stream, which would never end by itself, when its header is written, if that is all that is wanted.
func endHead(c echo.Context) {
	end, ok := c.Request().Context().Value(headKey{}).(context.CancelFunc)
	if !ok {
		return
	}
	c.Response().Before(func() {
		if endless(c.Response().Header()) {
			end()
		}
	})
}

// endless says whether an answer is a stream, by what tells proxies so.
func endless(h http.Header) bool { return h.Get("X-Accel-Buffering") == "no" }
