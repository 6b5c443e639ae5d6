package gormdb_test

import (
	"testing"

	"hoplite/store"
	"hoplite/store/gormdb"
	"hoplite/store/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, _ string) {
		postgres := t.Name() == "TestStore/postgres"
		storetest.Run(t, func(t *testing.T) store.Store { return open(t, postgres) })
	})
}

func open(t testing.TB, postgres bool) *gormdb.DB {
	t.Helper()
	dsn := storetest.SQLiteDSN(t)
	if postgres {
		dsn, _ = storetest.PostgresDSN(t)
	}
	return storetest.Open(t, dsn)
}
