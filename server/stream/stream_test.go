package stream_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"hoplite/server/stream"
)

// serve starts a server whose one answer is the response that make returns.
func serve(t *testing.T, make func(r *http.Request) stream.Response) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := make(r).Visit(w); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

func get(t *testing.T, url string) *http.Response {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res
}

func wait(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("%s did not happen", what)
}

func TestHeaderComesBeforeTheFirstLine(t *testing.T) {
	t.Parallel()
	hub := stream.NewHub()
	release := make(chan struct{})
	srv := serve(t, func(r *http.Request) stream.Response {
		return stream.New(r.Context(), hub, stream.Owner{}, "", func(ctx context.Context, w *stream.Writer) error {
			<-release
			return w.Send(map[string]int{"a": 1})
		})
	})
	res := get(t, srv.URL) // returns when the header has arrived
	close(release)
	if got, want := res.Header.Get("Content-Type"), "application/x-ndjson"; got != want {
		t.Errorf("content type %q, want %q", got, want)
	}
	if got := res.Header.Get("X-Accel-Buffering"); got != "no" {
		t.Errorf("X-Accel-Buffering %q, want no", got)
	}
	if len(res.TransferEncoding) != 1 || res.TransferEncoding[0] != "chunked" {
		t.Errorf("transfer encoding %v, want chunked", res.TransferEncoding)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil || string(body) != "{\"a\":1}\n" {
		t.Errorf("body %q, %v", body, err)
	}
}

func TestLineSeparatorsAreEscaped(t *testing.T) {
	t.Parallel()
	hub := stream.NewHub()
	srv := serve(t, func(r *http.Request) stream.Response {
		return stream.New(r.Context(), hub, stream.Owner{}, "", func(ctx context.Context, w *stream.Writer) error {
			return w.Send(map[string]string{"text": "a\u0085b\u2028c\u2029d<é>"})
		})
	})
	body, _ := io.ReadAll(get(t, srv.URL).Body)
	if got, want := string(body), `{"text":"a\u0085b\u2028c\u2029d<é>"}`+"\n"; got != want {
		t.Errorf("line %q, want %q", got, want)
	}
}

// TestEnds shows that each way of closing a stream completes its body.
func TestEnds(t *testing.T) {
	t.Parallel()
	owner := stream.Owner{Account: "ann", Token: "t1", Session: "s1"}
	tests := []struct {
		name  string
		end   func(*stream.Hub)
		cause error
	}{
		{"token revoked", func(h *stream.Hub) { h.CloseToken("t1") }, stream.ErrRevoked},
		{"session ended", func(h *stream.Hub) { h.CloseSession("s1") }, stream.ErrRevoked},
		{"account closed", func(h *stream.Hub) { h.CloseAccount("ann") }, stream.ErrRevoked},
		{"newer stream", func(h *stream.Hub) {
			_, leave := h.Enter(context.Background(), owner, "slot")
			leave()
		}, stream.ErrReplaced},
		{"shutdown", func(h *stream.Hub) { h.Close(context.Background()) }, stream.ErrShutdown},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			hub := stream.NewHub()
			cause := make(chan error, 1)
			srv := serve(t, func(r *http.Request) stream.Response {
				return stream.New(r.Context(), hub, owner, "slot", func(ctx context.Context, w *stream.Writer) error {
					err := stream.Pump(ctx, w, make(chan int), func(int) (bool, error) { return false, nil })
					cause <- context.Cause(ctx)
					return err
				})
			})
			res := get(t, srv.URL)
			hub.CloseToken("another")
			hub.CloseToken("")
			if hub.Open() != 1 {
				t.Fatalf("%d open streams, want 1", hub.Open())
			}
			test.end(hub)
			if body, err := io.ReadAll(res.Body); err != nil || len(body) != 0 {
				t.Errorf("body %q, %v; want an empty body and a clean end", body, err)
			}
			if got := <-cause; !errors.Is(got, test.cause) {
				t.Errorf("cause %v, want %v", got, test.cause)
			}
			wait(t, "leaving the hub", func() bool { return hub.Open() == 0 })
		})
	}
}

func TestClosedHubEndsNewStreamsAtOnce(t *testing.T) {
	t.Parallel()
	hub := stream.NewHub()
	if err := hub.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	ctx, leave := hub.Enter(context.Background(), stream.Owner{}, "slot")
	defer leave()
	if !errors.Is(context.Cause(ctx), stream.ErrShutdown) {
		t.Errorf("cause %v", context.Cause(ctx))
	}
}

func TestOlderStreamDoesNotFreeTheNewersPlace(t *testing.T) {
	t.Parallel()
	hub := stream.NewHub()
	first, leaveFirst := hub.Enter(context.Background(), stream.Owner{}, "slot")
	second, leaveSecond := hub.Enter(context.Background(), stream.Owner{}, "slot")
	defer leaveSecond()
	if first.Err() == nil || second.Err() != nil {
		t.Fatalf("first %v, second %v", first.Err(), second.Err())
	}
	leaveFirst()
	_, leaveThird := hub.Enter(context.Background(), stream.Owner{}, "slot")
	defer leaveThird()
	if second.Err() == nil {
		t.Error("the third stream did not close the second")
	}
}

// TestStuckReader: a reader that does not read is cut off soon after the
// stream's end, and does not keep the server from shutting down.
func TestStuckReader(t *testing.T) {
	t.Parallel()
	hub := stream.NewHub()
	srv := serve(t, func(r *http.Request) stream.Response {
		return stream.New(r.Context(), hub, stream.Owner{}, "", func(ctx context.Context, w *stream.Writer) error {
			line := strings.Repeat("x", 1<<16)
			for {
				if err := w.Send(line); err != nil {
					return err
				}
			}
		})
	})
	conn, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	if _, err := bufio.NewReader(conn).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // the buffers are full by now
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := hub.Close(ctx); err != nil {
		t.Errorf("close: %v", err)
	}
}

// TestWritesAfterTheEnd: a stream that writes on after its end does not win time by that.
func TestWritesAfterTheEnd(t *testing.T) {
	t.Parallel()
	hub := stream.NewHub()
	refused := make(chan error, 1)
	srv := serve(t, func(r *http.Request) stream.Response {
		return stream.New(r.Context(), hub, stream.Owner{Token: "t1"}, "", func(ctx context.Context, w *stream.Writer) error {
			<-ctx.Done()
			for {
				if err := w.Send(1); err != nil {
					refused <- err
					return err
				}
				time.Sleep(10 * time.Millisecond)
			}
		})
	})
	res := get(t, srv.URL)
	hub.CloseToken("t1")
	if _, err := io.Copy(io.Discard, res.Body); err == nil {
		t.Error("a stream that was cut off ended like a whole one")
	}
	if err := <-refused; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("it ended by %v", err)
	}
}

// TestDeadlineDoesNotOutliveTheStream: the connection serves on afterwards.
func TestDeadlineDoesNotOutliveTheStream(t *testing.T) {
	t.Parallel()
	hub := stream.NewHub()
	srv := serve(t, func(r *http.Request) stream.Response {
		return stream.New(r.Context(), hub, stream.Owner{}, "one", func(ctx context.Context, w *stream.Writer) error {
			if r.URL.Path == "/long" {
				<-ctx.Done()
				return nil
			}
			time.Sleep(1300 * time.Millisecond)
			return w.Send(1)
		})
	})
	res := get(t, srv.URL+"/long")
	hub.CloseAccount("")
	_, leave := hub.Enter(context.Background(), stream.Owner{}, "one")
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Fatal(err)
	}
	leave()
	if body, err := io.ReadAll(get(t, srv.URL+"/next").Body); err != nil || string(body) != "1\n" {
		t.Errorf("next answer %q, %v", body, err)
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	items := func(n int, err error) stream.List[int] {
		return stream.List[int]{Items: func(yield func(int, error) bool) {
			for i := range n {
				if !yield(i, nil) {
					return
				}
			}
			if err != nil {
				yield(0, err)
			}
		}}
	}
	for _, test := range []struct {
		name string
		list stream.List[int]
		body string
		err  error
	}{
		{"empty", items(0, nil), "", nil},
		{"three", items(3, nil), "0\n1\n2\n", nil},
		{"refused before the first line", items(0, boom), "", boom},
	} {
		t.Run(test.name, func(t *testing.T) {
			rec := httptest.NewRecorder()
			if err := test.list.Visit(rec); !errors.Is(err, test.err) {
				t.Errorf("error %v, want %v", err, test.err)
			}
			if got := rec.Body.String(); got != test.body {
				t.Errorf("body %q, want %q", got, test.body)
			}
		})
	}
	t.Run("cut off in the middle", func(t *testing.T) {
		defer func() {
			if r := recover(); r != http.ErrAbortHandler {
				t.Errorf("recovered %v, want an aborted connection", r)
			}
		}()
		items(2, boom).Visit(httptest.NewRecorder())
	})
}
