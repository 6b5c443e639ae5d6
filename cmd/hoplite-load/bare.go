package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v4"

	"hoplite/openapi/frames"
)

// bareCmd serves no more than the libraries do.
type bareCmd struct {
	Kind string `arg:"" enum:"echo,socket"`
}

// Run serves until the context ends.
func (c bareCmd) Run(ctx context.Context, out io.Writer) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	handler := map[string]http.Handler{"echo": bareEcho(), "socket": http.HandlerFunc(bareSocket)}[c.Kind]
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	fmt.Fprintf(out, "http://%s\n", listener.Addr())
	if err := server.Serve(listener); ctx.Err() == nil {
		return err
	}
	return nil
}

// bareEcho answers a small JSON document, and opens streams that say nothing.
func bareEcho() http.Handler {
	e := echo.New()
	e.POST("/move", func(c echo.Context) error { return c.JSON(http.StatusOK, map[string]bool{"ok": true}) })
	e.GET("/stream", func(c echo.Context) error {
		c.Response().Header().Set("Content-Type", "application/x-ndjson")
		_, _ = c.Response().Write([]byte("\n"))
		c.Response().Flush()
		<-c.Request().Context().Done()
		return nil
	})
	return e
}

// bareSocket decodes moves and acknowledges them.
func bareSocket(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{Subprotocols: []string{frames.Protocol}}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	for {
		_, data, err := conn.ReadMessage()
		if err != nil {
			return
		}
		var f frames.Frame
		var m frames.Move
		if json.Unmarshal(data, &f) != nil || json.Unmarshal(f.D, &m) != nil {
			return
		}
		d, _ := json.Marshal(frames.Ack{Note: m.Move}) // the types of package frames always can be
		ack, _ := json.Marshal(frames.Frame{T: "ack", ID: f.ID, D: d})
		if conn.WriteMessage(websocket.TextMessage, ack) != nil {
			return
		}
	}
}
