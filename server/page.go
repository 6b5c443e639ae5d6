package server

import (
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/labstack/echo/v4"
	"go.yaml.in/yaml/v3"

	"hoplite/openapi"
	"hoplite/server/api"
)

const (
	docsPath = "/docs"
	specPath = "/docs/openapi.yaml"
	// socketSpecPath has the description of the websocket's frames.
	socketSpecPath = "/docs/asyncapi.yaml"
	socketJSONPath = "/docs/asyncapi.json"
)

// notBuilt stands in for the page in a binary that was built without it.
const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Hoplite</title>
<p>The page is not part of this build. The API is: see <a href="/docs/openapi.yaml">its description</a>.</p>
</html>
`

// fallback hands what has no route to the page. It is no route itself: a wrong method on one must stay a 405.
func (s *Server) fallback(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := next(c)
		if api.OperationOf(c) == nil && errors.Is(err, echo.ErrNotFound) {
			return s.page(c)
		}
		if errors.Is(err, echo.ErrMethodNotAllowed) {
			if allow := s.doc.Allow(c.Request().URL.Path); allow != "" {
				c.Response().Header().Set("Allow", allow)
			}
		}
		return err
	}
}

// page serves the web page and the docs page, and answers everything else that has no route.
func (s *Server) page(c echo.Context) error {
	r := c.Request()
	if isAPI(r.URL.Path) {
		return api.JSONNotFound(c)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		c.Response().Header().Set("Allow", "GET, HEAD")
		return api.Refuse(http.StatusMethodNotAllowed, "Method not allowed")
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	switch {
	case name == "docs" || name == "docs/ws":
		return s.file(c, name+"/index.html")
	case name == "" || path.Ext(name) == "" || strings.HasPrefix(name, "@/"):
		// Every address without an extension is the page's own: /{gameId}, /@/{name}, /variant/{key}.
		return s.file(c, "index.html")
	}
	return s.file(c, name)
}

func (s *Server) file(c echo.Context, name string) error {
	found, err := s.read(name)
	if err != nil {
		if strings.HasSuffix(name, "index.html") {
			c.Response().Header().Set("Cache-Control", "no-cache")
			return c.HTML(http.StatusOK, notBuilt)
		}
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			return echo.ErrNotFound
		}
		return err
	}
	h := c.Response().Header()
	if strings.HasPrefix(name, "assets/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable") // their names change with their content
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	contentType := mime.TypeByExtension(path.Ext(name))
	if contentType == "" {
		contentType = http.DetectContentType(found.plain)
	}
	return s.send(c, found, contentType)
}

// hintCookie tells the page whether the browser holds a session, whose own cookie no script may see. So the page need not
// ask who is signed in where nobody is.
const hintCookie = "hoplite_signed_in"

// hintSession sets the cookie with every answer that is the page, whoever gives it: consent is asked by a handler.
func (s *Server) hintSession(c echo.Context) {
	html := strings.HasPrefix(c.Response().Header().Get("Content-Type"), "text/html")
	if path := c.Request().URL.Path; !html || path == docsPath || strings.HasPrefix(path, docsPath+"/") {
		return
	}
	value := "0"
	if _, err := c.Request().Cookie(api.SessionCookie); err == nil {
		value = "1"
	}
	if old, err := c.Request().Cookie(hintCookie); err == nil && old.Value == value {
		return
	}
	http.SetCookie(c.Response(), &http.Cookie{Name: hintCookie, Value: value, Path: "/", SameSite: http.SameSiteLaxMode, Secure: s.https})
}

// indexPage is the web page for an address that a handler of the API serves.
func (s *Server) indexPage() []byte {
	data, err := fs.ReadFile(s.files, "index.html")
	if err != nil {
		return []byte(notBuilt)
	}
	return data
}

func serveSpec(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-cache")
	return c.Blob(http.StatusOK, "application/yaml; charset=utf-8", openapi.Spec())
}

func serveSocketSpec(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-cache")
	return c.Blob(http.StatusOK, "application/yaml; charset=utf-8", openapi.SocketSpec())
}

// serveSocketJSON is the same as JSON, which the page at /docs/ws draws.
func serveSocketJSON(c echo.Context) error {
	var doc map[string]any
	if err := yaml.Unmarshal(openapi.SocketSpec(), &doc); err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "no-cache")
	return c.JSON(http.StatusOK, doc)
}
