// Package store holds the records that Hoplite keeps, the interfaces through
// which the server reads and writes them, and the errors that they return.
// Package gormdb implements the interfaces on SQLite and PostgreSQL; package
// storetest has the conformance suite, and helpers for the tests of others.
//
// Times are UTC and kept to the millisecond; the zero time means "not set" and
// survives the round trip. Durations are kept to the millisecond. Identifiers
// of accounts are the lower-case names.
//
// Every method may fail with ErrUnavailable (nothing is known to have changed,
// try again later) and with the context's error. The other errors are named at
// the methods. Slices and pointers that go in are not kept, those that come
// out belong to the caller.
package store
