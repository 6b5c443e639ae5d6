package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// Upload is the body of a request that is read as it comes, by the operation itself. What was not read when the
// operation ends is never read, and the connection closes.
type Upload struct {
	body    io.Reader
	control *http.ResponseController
}

// answerTime is how long the answer to an upload may take to be read.
const answerTime = 10 * time.Second

// Read reads what has come.
func (u *Upload) Read(p []byte) (int, error) { return u.body.Read(p) }

// Until says how long reading may wait; the past ends a read that waits in another goroutine.
func (u *Upload) Until(deadline time.Time) {
	// Not every connection has deadlines (a recorder in a test).
	_ = u.control.SetReadDeadline(deadline)
}

// Finish is called when the operation has read all that it wants.
func (u *Upload) Finish() {
	u.Until(time.Unix(1, 0)) // the HTTP server would read on otherwise, to use the connection again
	_ = u.control.SetWriteDeadline(time.Now().Add(answerTime))
}

type uploadKey struct{}

// UploadOf returns the body of a request whose operation reads it as it comes.
func UploadOf(ctx context.Context) (*Upload, error) {
	u, ok := ctx.Value(uploadKey{}).(*Upload)
	if !ok {
		return nil, errors.New("api: the body of this operation is no upload")
	}
	return u, nil
}

// holdUpload keeps a body for the operation, so that nothing else reads it.
func holdUpload(c echo.Context) {
	r := c.Request()
	u := &Upload{body: r.Body, control: http.NewResponseController(c.Response())}
	c.Response().Header().Set("Connection", "close")
	c.SetRequest(r.WithContext(context.WithValue(r.Context(), uploadKey{}, u)))
	r = c.Request()
	r.Body, r.ContentLength = http.NoBody, 0
}
