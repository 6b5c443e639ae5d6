// Package auth decides who is calling: accounts are made and entered here, personal tokens and
// sessions are issued, looked up and revoked here. Nothing that would let a reader of the database
// act as somebody else is stored: passwords are argon2id strings, tokens and invitations SHA-256
// sums, and the secrets that sign sessions may be kept in the environment instead.
package auth
