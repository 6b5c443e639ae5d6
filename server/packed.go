package server

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
)

// packedSuffix marks the files of the page that the build has compressed.
const packedSuffix = ".gz"

// document is a file of the page: as it is, compressed, or both.
type document struct{ plain, packed []byte }

// read finds a file of the page. Large ones may be there in their compressed form only.
func (s *Server) read(name string) (document, error) {
	if strings.HasSuffix(name, packedSuffix) {
		return document{}, fs.ErrNotExist // their own names are no addresses
	}
	plain, err := fs.ReadFile(s.files, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return document{}, err
	}
	packed, packedErr := fs.ReadFile(s.files, name+packedSuffix)
	if err != nil && packedErr != nil {
		return document{}, err
	}
	return document{plain, packed}, nil
}

// send answers with a file, compressed if the caller takes that. Who has it already, as the tag tells, gets no body.
func (s *Server) send(c echo.Context, d document, contentType string) error {
	h := c.Response().Header()
	body := d.plain
	if d.packed != nil {
		h.Add("Vary", "Accept-Encoding")
		switch {
		case takesGzip(c.Request()):
			body = d.packed
			h.Set("Content-Encoding", "gzip")
		case body == nil:
			var err error
			if body, err = unpack(d.packed); err != nil {
				return err
			}
		}
	}
	sum := sha256.Sum256(body)
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	h.Set("ETag", tag)
	if strings.Contains(c.Request().Header.Get("If-None-Match"), tag) {
		h.Del("Content-Encoding")
		return c.NoContent(http.StatusNotModified)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	return c.Blob(http.StatusOK, contentType, body)
}

// takesGzip says whether the caller reads gzip. Browsers say so plainly; whoever weighs encodings against each other
// gets what everybody can read, unless gzip has a weight.
func takesGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, found := strings.CutPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
			return !found || strings.Trim(q, "0.") != ""
		}
	}
	return false
}

func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
