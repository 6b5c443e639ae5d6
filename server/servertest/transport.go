package servertest

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"hoplite/server/spec"
)

// Transport holds every answer against the spec, line by line in streams. It does not change them.
type Transport struct {
	t    testing.TB
	doc  *spec.Document
	base http.RoundTripper
	mu   sync.Mutex // guards done
	done bool
	// checking makes one answer be checked at a time: the validator keeps what
	// it has worked out in the schemas, which answers share.
	checking sync.Mutex
}

// NewTransport returns a transport that reports to t what does not fit. base carries the requests; nil means plain
// HTTP.
func NewTransport(t testing.TB, doc *spec.Document, base http.RoundTripper) *Transport {
	if base == nil {
		plain := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}
		t.Cleanup(plain.CloseIdleConnections)
		base = plain
	}
	tr := &Transport{t: t, doc: doc, base: base}
	t.Cleanup(func() {
		tr.mu.Lock()
		defer tr.mu.Unlock()
		tr.done = true
	})
	return tr
}

func (tr *Transport) errorf(format string, args ...any) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if !tr.done {
		tr.t.Errorf(format, args...)
	}
}

// RoundTrip sends the request and checks the answer.
func (tr *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := tr.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	op := tr.doc.Match(r.Method, r.URL.EscapedPath())
	if op == nil {
		return resp, nil
	}
	check := func(body []byte) {
		tr.checking.Lock()
		err := op.CheckAnswer(resp.StatusCode, resp.Header, body)
		tr.checking.Unlock()
		if err != nil {
			tr.errorf("%s %s: the answer is not as the spec says: %v\nstatus %d, body %.600q", r.Method, r.URL.Path, err,
				resp.StatusCode, body)
		}
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/x-ndjson") {
		check(nil)
		resp.Body = &lineChecker{body: resp.Body, check: check}
		return resp, nil
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	check(body)
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// lineChecker checks each line of a stream as it is read.
type lineChecker struct {
	body  io.ReadCloser
	check func([]byte)
	line  []byte
}

func (c *lineChecker) Read(p []byte) (int, error) {
	n, err := c.body.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			c.line = append(c.line, rest...)
			break
		}
		c.line = append(c.line, rest[:i]...)
		c.end()
		rest = rest[i+1:]
	}
	if err == io.EOF {
		c.end()
	}
	return n, err
}

func (c *lineChecker) end() {
	if len(bytes.TrimSpace(c.line)) > 0 {
		c.check(c.line)
	}
	c.line = c.line[:0]
}

func (c *lineChecker) Close() error { return c.body.Close() }
