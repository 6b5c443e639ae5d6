// Package cmd_test holds the walls of the house: which package may import which.
package cmd_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// wall says what the packages below a folder may import. Folders of ours outside allow are forbidden, and so are the
// modules in deny. The first wall whose folder holds a package counts, so the narrower ones stand first.
type wall struct {
	folder string
	allow  []string
	deny   []string
}

var (
	databases = []string{"gorm.io", "github.com/glebarez", "github.com/jackc", "modernc.org"}
	network   = []string{"net/http", "github.com/labstack", "github.com/gorilla"}
)

var walls = []wall{
	{folder: "engine", allow: []string{"engine"}, deny: slices.Concat(databases, network)},
	{folder: "openapi", allow: []string{"openapi"}, deny: databases},
	{folder: "client/bot", allow: []string{"client", "openapi", "engine"}, deny: databases},
	{folder: "client/provider", allow: []string{"client", "openapi", "engine"}, deny: databases},
	{folder: "client/realclients", allow: []string{"client", "openapi", "server/servertest"}},
	{folder: "client", allow: []string{"client", "openapi"}, deny: databases},
	{folder: "store/gormdb", allow: []string{"store", "engine/rules"}},
	{folder: "store/storetest", allow: []string{"store", "engine/rules"}},
	{folder: "store/migrations", allow: []string{"store"}},
	{folder: "store", allow: []string{"store", "engine/rules"}, deny: slices.Concat(databases, network)},
	{folder: "server/live/game", allow: []string{"server/live", "server/fault", "engine", "store"}, deny: slices.Concat(databases, network)},
	{folder: "server/live/clock", allow: []string{"server/live", "server/fault"}, deny: slices.Concat(databases, network)},
	{folder: "server/rating", allow: []string{"store"}, deny: slices.Concat(databases, network)},
	{folder: "server/house", allow: []string{"server", "client", "openapi", "engine", "store"}, deny: databases},
	{folder: "server/servertest", allow: []string{"server", "store", "engine", "openapi", "client", "web"}},
	{folder: "server/node/natstest", allow: nil},
	{folder: "server", allow: []string{"server", "store", "engine", "openapi", "web"}, deny: databases},
	{folder: "web", allow: nil},
	{folder: "cmd/hoplite-bot", allow: []string{"client", "openapi", "engine"}, deny: databases},
	{folder: "cmd/hoplite-engine", allow: []string{"engine"}, deny: slices.Concat(databases, network)},
	{folder: "cmd", allow: []string{"cmd", "server", "store", "client", "engine", "openapi", "web"}},
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

// TestImportsPointOneWay fails on an import that DESIGN's house does not have. It reads what the packages ship with,
// not their tests: a test may start the real server.
func TestImportsPointOneWay(t *testing.T) {
	for _, pkg := range packages(t) {
		path, ours := strings.CutPrefix(pkg.ImportPath, "hoplite/")
		if !ours {
			continue
		}
		i := slices.IndexFunc(walls, func(w wall) bool { return below(path, w.folder) })
		if i < 0 {
			t.Errorf("%s stands in no room of the house", pkg.ImportPath)
			continue
		}
		for _, imported := range pkg.Imports {
			if reason := walls[i].refuses(imported); reason != "" {
				t.Errorf("%s imports %s: %s", pkg.ImportPath, imported, reason)
			}
		}
	}
}

// TestImportsOfPureCode keeps input, output, time and chance out of the packages whose races are table tests.
func TestImportsOfPureCode(t *testing.T) {
	impure := []string{"os", "net", "math/rand", "math/rand/v2", "crypto/rand", "database/sql", "sync", "context"}
	for _, pkg := range packages(t) {
		pure := slices.ContainsFunc([]string{"hoplite/server/live/game", "hoplite/server/live/clock", "hoplite/server/rating"},
			func(p string) bool { return pkg.ImportPath == p })
		if !pure {
			continue
		}
		for _, imported := range pkg.Imports {
			if slices.Contains(impure, imported) {
				t.Errorf("%s imports %s", pkg.ImportPath, imported)
			}
		}
	}
}

// TestNATSServerStaysInTests keeps the NATS server out of the programs: they use one that runs beside them.
func TestNATSServerStaysInTests(t *testing.T) {
	for _, pkg := range packages(t) {
		if pkg.ImportPath == "hoplite/server/node/natstest" || !strings.HasPrefix(pkg.ImportPath, "hoplite/") {
			continue
		}
		for _, imported := range pkg.Imports {
			if below(imported, "github.com/nats-io/nats-server") || imported == "hoplite/server/node/natstest" {
				t.Errorf("%s imports %s", pkg.ImportPath, imported)
			}
		}
	}
}

// TestOnlyGormdbKnowsGorm keeps the object mapper behind the store's interfaces.
func TestOnlyGormdbKnowsGorm(t *testing.T) {
	for _, pkg := range packages(t) {
		if below(pkg.ImportPath, "hoplite/store/gormdb") || !strings.HasPrefix(pkg.ImportPath, "hoplite/") {
			continue
		}
		for _, imported := range pkg.Imports {
			if below(imported, "gorm.io") {
				t.Errorf("%s imports %s", pkg.ImportPath, imported)
			}
		}
	}
}

func (w wall) refuses(imported string) string {
	if path, ours := strings.CutPrefix(imported, "hoplite/"); ours {
		if !slices.ContainsFunc(w.allow, func(folder string) bool { return below(path, folder) }) {
			return "only " + strings.Join(w.allow, ", ") + " may be imported from " + w.folder
		}
		return ""
	}
	if slices.ContainsFunc(w.deny, func(module string) bool { return below(imported, module) }) {
		return "not from " + w.folder
	}
	return ""
}

func below(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

func packages(t *testing.T) []goPackage {
	t.Helper()
	list := exec.Command("go", "list", "-json=ImportPath,Imports", "hoplite/...")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var pkg goPackage
		if err := decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		all = append(all, pkg)
	}
}
