package stream

import (
	"context"
	"net"
)

// kernelBuffer is what the kernel may keep unsent for a stream. It is enough for the usual bursts.
const kernelBuffer = 64 << 10

type connKey struct{}

// WithConn returns a context that knows the connection on which requests come.
func WithConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

// boundKernel bounds what waits in the kernel for a reader that does not read: left alone it grows to megabytes, which
// is memory too.
func boundKernel(ctx context.Context) {
	if conn, ok := ctx.Value(connKey{}).(interface{ SetWriteBuffer(int) error }); ok {
		_ = conn.SetWriteBuffer(kernelBuffer)
	}
}
