// Package web holds the built web page.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Dist returns the files of the built page, with index.html at its root.
//
// Without `make web` it holds no pages at all: the API works without them, so callers must treat a missing file as
// "not built".
func Dist() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is embedded above, so only a broken build gets here
	}
	return sub
}
