// Package account shows accounts: to their owners, and to everybody as public profiles. It makes bots
// of accounts and says who is online.
package account
