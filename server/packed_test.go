package server

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/labstack/echo/v4"
)

func TestFilesOfThePage(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte("\x00asm module")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := &Server{files: fstest.MapFS{
		"index.html":             {Data: []byte("<p>page</p>")},
		"engine/hoplite.wasm.gz": {Data: packed.Bytes()},
		"assets/a.js":            {Data: []byte("\x00asm module")},
		"assets/a.js.gz":         {Data: packed.Bytes()},
	}}
	e := echo.New()
	get := func(path string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, http.NoBody)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		answer := httptest.NewRecorder()
		c := e.NewContext(r, answer)
		if err := s.page(c); err != nil {
			e.HTTPErrorHandler(err, c)
		}
		return answer
	}
	for _, c := range []struct {
		path, accept   string
		encoding, kind string
		body           string
	}{
		{"/engine/hoplite.wasm", "br, gzip", "gzip", "application/wasm", packed.String()},
		{"/engine/hoplite.wasm", "gzip;q=0.5", "gzip", "application/wasm", packed.String()},
		{"/engine/hoplite.wasm", "gzip;q=0", "", "application/wasm", "\x00asm module"},
		{"/engine/hoplite.wasm", "", "", "application/wasm", "\x00asm module"},
		{"/assets/a.js", "gzip", "gzip", "text/javascript; charset=utf-8", packed.String()},
		{"/assets/a.js", "identity", "", "text/javascript; charset=utf-8", "\x00asm module"},
		{"/", "gzip", "", "text/html; charset=utf-8", "<p>page</p>"},
	} {
		a := get(c.path, "Accept-Encoding", c.accept)
		if a.Code != 200 || a.Header().Get("Content-Encoding") != c.encoding || a.Header().Get("Content-Type") != c.kind || a.Body.String() != c.body {
			t.Errorf("%s for %q: %d %v %q", c.path, c.accept, a.Code, a.Header(), a.Body)
		}
		again := get(c.path, "Accept-Encoding", c.accept, "If-None-Match", a.Header().Get("ETag"))
		if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s for %q asked again: %d %q", c.path, c.accept, again.Code, again.Body)
		}
	}
	for _, path := range []string{"/engine/hoplite.wasm.gz", "/engine/none.wasm"} {
		if a := get(path, "Accept-Encoding", "gzip"); a.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, a.Code)
		}
	}
}
