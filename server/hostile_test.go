package server_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"hoplite/server/servertest"
)

// exchange sends bytes as they are and returns the answers until the server closes the connection or falls silent.
func exchange(t *testing.T, s *servertest.Server, raw string) []*http.Response {
	t.Helper()
	conn, err := net.Dial("tcp", s.Server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.WriteString(conn, raw) }() // the server may answer before it has read all
	var answers []*http.Response
	r := bufio.NewReader(conn)
	for {
		if len(answers) > 0 && !strings.Contains(raw, "Connection: close") { // nobody says when it is over
			_ = conn.SetReadDeadline(time.Now().Add(time.Second))
		}
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			return answers
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return answers
		}
		resp.Body = io.NopCloser(bytes.NewReader(body))
		answers = append(answers, resp)
	}
}

func post(path, header, body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", path, header, len(body), body)
}

const (
	typeJSON = "Content-Type: application/json\r\n"
	typeForm = "Content-Type: application/x-www-form-urlencoded\r\n"
)

func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

// TestHostileRequests sends what no client of good will sends. Each is refused at once with an error that says what was
// wrong, and none makes the server hold much.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	login := func(header, body string) string { return post("/api/login", header, body) }
	deep := strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)
	for _, tt := range []struct {
		name, raw string
		status    int
		want      string // in the error; empty where the HTTP library answers for us
	}{
		{"a body that is too large", login(typeJSON, `{"username":"`+strings.Repeat("a", 70_000)+`"}`), 413, "larger than 65536 bytes"},
		{"a length that is too large", "POST /api/login HTTP/1.1\r\nHost: localhost\r\n" + typeJSON + "Content-Length: 99999999999\r\n\r\n{", 413, "larger than 65536 bytes"},
		{"a text that is too large", post("/api/users", "", strings.Repeat("a,", 300_000)), 413, "larger than 524288 bytes"},
		{"headers that are too large", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + strings.Repeat("a", 64<<10) + "\r\n\r\n", 431, ""},
		{"too many headers", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X-A: b\r\n", 8000) + "\r\n", 431, ""},
		{"a URL that is too long", "GET /api/user/" + strings.Repeat("a", 64<<10) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 431, ""},
		{"a query that is too long", "GET /api/users/status?ids=" + strings.Repeat("a,", 32<<10) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 431, ""},
		{"a gzip bomb", login(typeJSON+"Content-Encoding: gzip\r\n", zipped(strings.Repeat(" ", 1<<20))), 415, "Compressed request bodies are not read"},
		{"deflate", login(typeJSON+"Content-Encoding: deflate\r\n", "x"), 415, "Compressed request bodies are not read"},
		{"two encodings", login(typeJSON+"Content-Encoding: identity\r\nContent-Encoding: br\r\n", "{}"), 415, "Compressed request bodies are not read"},
		{"deeply nested JSON", login(typeJSON, deep), 400, "nested too deeply"},
		{"deeply nested lists", login(typeJSON, strings.Repeat("[", 30_000)), 400, "nested too deeply"},
		{"a field twice", login(typeJSON, `{"username":"a","username":"b","password":"c"}`), 400, "username: must stand once"},
		{"a form field twice", login(typeForm, "username=a&username=b&password=c"), 401, ""},
		{"no UTF-8", login(typeJSON, "{\"username\":\"\xff\xfe\"}"), 400, "The body is not UTF-8"},
		{"no UTF-8 in a form", login(typeForm, "username=%ff%fe&password=x"), 400, "username: must be plain text"},
		{"NUL", login(typeJSON, `{"username":"a\u0000b","password":"c"}`), 400, "username: must be plain text"},
		{"half a surrogate", login(typeJSON, `{"username":"\ud800","password":"c"}`), 401, ""},
		{"a list for an object", login(typeJSON, `[1]`), 400, "The body is not a JSON object"},
		{"half an object", login(typeJSON, `{"username":`), 400, "The body is not a JSON object"},
		{"two objects", login(typeJSON, `{} {}`), 400, "goes on after its JSON object"},
		{"NaN", login(typeJSON, `{"username":NaN}`), 400, "The body is not a JSON object"},
		{"a number for a text", post("/api/account/tokens", typeJSON, `{"description":"a","scopes":[1e999]}`), 400, "scopes: must have no number beyond all bounds"},
		{"a number beyond all bounds", post("/api/challenge/open", typeJSON, `{"clock.limit":1e999}`), 400, "clock.limit: must have no number beyond all bounds"},
		{"a huge number", post("/api/challenge/open", typeForm, `clock.limit=99999999999999999999999999`), 400, "clock.limit: must be a whole number"},
		{"no number", post("/api/challenge/open", typeForm, `clock.limit=NaN`), 400, "clock.limit: must be a whole number"},
		{"XML", login("Content-Type: text/xml\r\n", "<a/>"), 415, `Content type "text/xml" is not read here`},
		{"nonsense for a type", login("Content-Type: ;;;\r\n", "a=b"), 415, "is not read here"},
		{"a form with bad escapes", login(typeForm, "username=%zz"), 400, "The form cannot be read"},
		{"a form without a boundary", login("Content-Type: multipart/form-data\r\n", "x"), 400, "no boundary"},
		{"a form that ends early", login("Content-Type: multipart/form-data; boundary=b\r\n", "--b\r\nContent-Disposition: form-data; name=\"username\"\r\n\r\nab"), 400, "The form cannot be read"},
		{"a query with bad escapes", "GET /api/users/status?ids=%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "The query cannot be read"},
		{"an unknown field", login(typeJSON, `{"username":"a","password":"b","admin":true}`), 400, "admin: is not a field of this request"},
		{"NUL in a path", "GET /api/user/a%00b HTTP/1.1\r\nHost: localhost\r\n\r\n", 404, "Not found"},
		{"no UTF-8 in a path", "GET /api/user/%ff HTTP/1.1\r\nHost: localhost\r\n\r\n", 404, "Not found"},
		{"a path to a file", "GET /api/user/..%2f..%2fetc%2fpasswd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404, ""},
		{"a path up", "GET /api/../../../etc/passwd.txt HTTP/1.1\r\nHost: localhost\r\n\r\n", 404, "Not found"},
		{"a path up among the assets", "GET /assets/..%2f..%2f..%2fgo.mod HTTP/1.1\r\nHost: localhost\r\n\r\n", 404, "Not found"},
		{"another method by a header", "GET /api/login HTTP/1.1\r\nHost: localhost\r\nX-HTTP-Method-Override: POST\r\n\r\n", 405, "Method not allowed"},
		{"another method by a field", "GET /api/login?_method=POST HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, "Method not allowed"},
		{"a method of one's own", "FROB /api/account HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, "Method not allowed"},
		{"TRACE", "TRACE /api/account HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, "Method not allowed"},
		{"CONNECT", "CONNECT other.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", 421, "does not serve that host"},
		{"a foreign host", "GET /healthz HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n", 421, "does not serve that host"},
		{"a foreign host in the line", "GET http://elsewhere.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 421, "does not serve that host"},
		{"no host", "GET /healthz HTTP/1.1\r\n\r\n", 400, ""},
		{"two hosts", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n\r\n", 400, ""},
		{"two lengths", "POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400, ""},
		{"a length below nothing", "POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400, ""},
		{"a chunk's length that is none", "POST /api/login HTTP/1.1\r\nHost: localhost\r\n" + typeJSON + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", 400, "The body ended too early"},
		{"a chunk's length beyond all bounds", "POST /api/login HTTP/1.1\r\nHost: localhost\r\n" + typeJSON + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n", 400, "The body ended too early"},
		{"an encoding of the transfer that is none", "POST /api/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: frob\r\n\r\n{}", 501, ""},
		{"a header with a blank before its colon", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nA : b\r\n\r\n", 400, ""},
		{"a folded header", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer\r\n x\x00\r\n\r\n", 400, ""},
		{"not HTTP at all", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			answers := exchange(t, s, tt.raw)
			if len(answers) == 0 {
				t.Fatal("no answer")
			}
			resp := answers[0]
			body, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != tt.status {
				t.Fatalf("status %d, want %d: %.200q", resp.StatusCode, tt.status, body)
			}
			if tt.want == "" {
				return
			}
			var e struct{ Error any }
			if err := json.Unmarshal(body, &e); err != nil || !strings.Contains(sentence(e.Error), tt.want) {
				t.Errorf("the error is %.300q, want %q", body, tt.want)
			}
		})
	}
}

// sentence writes an error out: itself, or its fields.
func sentence(e any) string {
	fields, ok := e.(map[string]any)
	if !ok {
		return fmt.Sprint(e)
	}
	var out []string
	for name, texts := range fields {
		out = append(out, fmt.Sprintf("%s: %s", name, strings.Trim(fmt.Sprint(texts), "[]")))
	}
	return strings.Join(out, "; ")
}

// TestSmuggling: bytes that could be the end of one request or the beginning of the next are never both.
func TestSmuggling(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	hidden := "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
	for name, raw := range map[string]string{
		"length and chunks":  "POST /api/login HTTP/1.1\r\nHost: localhost\r\n" + typeForm + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
		"two encodings":      "POST /api/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + hidden,
		"a disguised one":    "POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + hidden,
		"a blank before it":  "POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + hidden,
		"a bare line feed":   "POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nX: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
		"a length with plus": "POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: +5\r\n\r\n0\r\n\r\n" + hidden,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, resp := range exchange(t, s, raw) {
				if resp.StatusCode < 400 {
					t.Errorf("answer %d has status %d: the hidden request was served", i, resp.StatusCode)
				}
			}
		})
	}
}

// TestPipelining: requests sent in one go are answered in their order; old clients get an answer and a close.
func TestPipelining(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	body := `{"username":"nobody","password":"none at all"}`
	raw := "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" + post("/api/login", typeJSON, body) +
		"GET /api/nope HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
	var got []int
	for _, resp := range exchange(t, s, raw) {
		got = append(got, resp.StatusCode)
	}
	if fmt.Sprint(got) != "[200 401 404 200]" {
		t.Errorf("statuses %v", got)
	}
	old := exchange(t, s, "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
	if len(old) != 1 || old[0].StatusCode != 200 || !old[0].Close {
		t.Errorf("HTTP/1.0 got %v", old)
	}
	if nine := exchange(t, s, "GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n"); len(nine) != 1 || nine[0].StatusCode != 505 {
		t.Errorf("HTTP/9.9 got %v", nine)
	}
}

// TestTruncatedBodies: a client that goes away in mid-body leaves nothing behind.
func TestTruncatedBodies(t *testing.T) {
	// Not parallel: it counts goroutines.
	s := servertest.Start(t)
	before := runtime.NumGoroutine()
	for i := range 200 {
		conn, err := net.Dial("tcp", s.Server.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		head := "POST /api/login HTTP/1.1\r\nHost: localhost\r\n" + typeJSON
		if i%2 == 0 {
			head += "Content-Length: 1000\r\n\r\n{\"username\":"
		} else {
			head += "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"us"
		}
		if _, err := io.WriteString(conn, head); err != nil {
			t.Fatal(err)
		}
		_ = conn.Close()
	}
	deadline := time.Now().Add(20 * time.Second)
	for runtime.NumGoroutine() > before+10 {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.Anonymous().Get(t, "/healthz").Want(t, http.StatusOK)
}

// TestManySlowRequests: five hundred clients that send a byte now and then hold connections, not memory, and nobody
// waits for them.
func TestManySlowRequests(t *testing.T) {
	// Not parallel: it measures the heap.
	s := servertest.Start(t)
	const slow = 500
	before := heapInUse()
	for i := range slow {
		conn, err := net.Dial("tcp", s.Server.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		head := "POST /api/login HTTP/1.1\r\nHost: localhost\r\n"
		if i%2 == 0 {
			head += typeJSON + "Content-Length: 60000\r\n\r\n{"
		}
		if _, err := io.WriteString(conn, head); err != nil {
			t.Fatal(err)
		}
	}
	s.Anonymous().Get(t, "/healthz").Want(t, http.StatusOK)
	s.Anonymous().Get(t, "/api/variants").Want(t, http.StatusOK)
	grown := int64(heapInUse()) - int64(before)
	t.Logf("the heap grew by %d KiB for %d slow requests", grown>>10, slow)
	if grown > slow*(64<<10) {
		t.Errorf("the heap grew by %d KiB for %d slow requests", grown>>10, slow)
	}
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}
