package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"strings"
	"time"

	"crypto/rand"

	"github.com/boombuler/barcode/qr"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"hoplite/server/api"
	"hoplite/server/audit"
	"hoplite/server/fault"
	"hoplite/store"
)

const (
	factorIssuer  = "Hoplite"
	factorPeriod  = 30 // seconds
	recoveryCodes = 10
	recoveryChars = 24 // base 32: 120 bits

	// codeFailures is how many wrong codes an account takes in an hour. Only who has the password gets to try one.
	codeFailures = 20
)

// factorOptions are what every program for such codes understands.
func factorOptions() totp.ValidateOpts {
	return totp.ValidateOpts{Period: factorPeriod, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1}
}

// Enrolment is what a person puts into a program that shows codes.
type Enrolment struct {
	Secret string
	URL    string   // otpauth://…
	QR     []string // the same as rows of dark (1) and light (0) modules
}

// FactorState is what an account's owner may know about its second factor.
type FactorState struct {
	Enabled  time.Time // zero if there is none
	Recovery int       // codes left
}

// Factor returns the state of the caller's second factor.
func (s *Service) Factor(ctx context.Context, caller *api.Identity) (FactorState, error) {
	if err := needSession(caller); err != nil {
		return FactorState{}, err
	}
	f, err := s.enabledFactor(ctx, caller.AccountID)
	if err != nil || f == nil {
		return FactorState{}, err
	}
	n, err := s.store.CountRecoveryCodes(ctx, caller.AccountID)
	return FactorState{Enabled: f.Enabled, Recovery: n}, err
}

// enabledFactor returns nil if the account has none that counts.
func (s *Service) enabledFactor(ctx context.Context, accountID string) (*store.SecondFactor, error) {
	f, err := s.store.SecondFactor(ctx, accountID)
	if errors.Is(err, store.ErrNotFound) || err == nil && f.Enabled.IsZero() {
		return nil, nil
	}
	return &f, err
}

// EnrolFactor makes a secret, which counts once ConfirmFactor has seen a code of it. It asks for the password.
func (s *Service) EnrolFactor(ctx context.Context, caller *api.Identity, password string) (Enrolment, error) {
	if err := s.ownPassword(ctx, caller, password); err != nil {
		return Enrolment{}, err
	}
	if f, err := s.enabledFactor(ctx, caller.AccountID); err != nil || f != nil {
		if err == nil {
			err = fault.Conflict("The account has a second factor: turn it off first")
		}
		return Enrolment{}, err
	}
	key, err := totp.Generate(totp.GenerateOpts{Issuer: factorIssuer, AccountName: caller.Name, Period: factorPeriod})
	if err != nil {
		return Enrolment{}, err
	}
	rows, err := qrRows(key.URL())
	if err != nil {
		return Enrolment{}, err
	}
	err = s.store.PutSecondFactor(ctx, store.SecondFactor{AccountID: caller.AccountID, Secret: key.Secret(), Created: s.now()})
	return Enrolment{Secret: key.Secret(), URL: key.URL(), QR: rows}, err
}

func qrRows(text string) ([]string, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return nil, err
	}
	size := code.Bounds().Dx()
	rows := make([]string, size)
	for y := range size {
		row := make([]byte, size)
		for x := range size {
			row[x] = '0'
			if r, _, _, _ := code.At(x, y).RGBA(); r == 0 {
				row[x] = '1'
			}
		}
		rows[y] = string(row)
	}
	return rows, nil
}

// ConfirmFactor turns the second factor on with a first code, and returns the recovery codes, which cannot be seen again.
func (s *Service) ConfirmFactor(ctx context.Context, caller *api.Identity, code string) ([]string, error) {
	if err := needSession(caller); err != nil {
		return nil, err
	}
	f, err := s.store.SecondFactor(ctx, caller.AccountID)
	if errors.Is(err, store.ErrNotFound) || err == nil && !f.Enabled.IsZero() {
		return nil, fault.Conflict("There is nothing to confirm: ask for a secret first")
	}
	if err != nil {
		return nil, err
	}
	now := s.now()
	step, ok := stepOf(f.Secret, code, now)
	if !ok {
		return nil, fault.Field("code", "is not the present one: check the clock of the device that shows it")
	}
	codes := make([]string, recoveryCodes)
	hashes := make([][32]byte, recoveryCodes)
	for i := range codes {
		plain := strings.ToLower(rand.Text()[:recoveryChars])
		hashes[i] = recoveryHash(plain)
		codes[i] = plain[:6] + "-" + plain[6:12] + "-" + plain[12:18] + "-" + plain[18:]
	}
	err = s.store.InTx(ctx, func(tx store.Store) error {
		if err := tx.EnableSecondFactor(ctx, caller.AccountID, step, now, hashes); err != nil {
			return err
		}
		return audit.Add(ctx, tx, now, audit.FactorEnabled, caller.AccountID, "")
	})
	if err != nil {
		return nil, err
	}
	s.tellOwner(ctx, caller.AccountID, noticeFactorOn)
	return codes, nil
}

// DisableFactor turns the second factor off. It asks for the password.
func (s *Service) DisableFactor(ctx context.Context, caller *api.Identity, password string) error {
	if err := s.ownPassword(ctx, caller, password); err != nil {
		return err
	}
	if err := DropFactor(ctx, s.store, caller.AccountID, s.now()); err != nil {
		return err
	}
	s.tellOwner(ctx, caller.AccountID, noticeFactorOff)
	return nil
}

// DropFactor turns an account's second factor off without asking its owner, who may have lost it.
func DropFactor(ctx context.Context, st store.Store, accountID string, now time.Time) error {
	return st.InTx(ctx, func(tx store.Store) error {
		if err := tx.DeleteSecondFactor(ctx, accountID); err != nil {
			return err
		}
		return audit.Add(ctx, tx, now, audit.FactorDisabled, accountID, "")
	})
}

// stepOf returns the half minute that a code belongs to, if it is a present one: clocks may be half a minute apart.
func stepOf(secret, code string, now time.Time) (step int64, ok bool) {
	code = strings.ReplaceAll(strings.TrimSpace(code), " ", "")
	for _, off := range []int64{0, -1, 1} {
		step = now.Unix()/factorPeriod + off
		want, err := totp.GenerateCodeCustom(secret, time.Unix(step*factorPeriod, 0), factorOptions())
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			return step, true
		}
	}
	return 0, false
}

func recoveryHash(code string) [32]byte {
	plain := strings.ToLower(strings.NewReplacer("-", "", " ", "").Replace(code))
	return sha256.Sum256([]byte("recovery " + plain))
}

// checkFactor asks for the code of an account's second factor, if it has one. A code serves once.
func (s *Service) checkFactor(ctx context.Context, accountID, code string, now time.Time) error {
	f, err := s.enabledFactor(ctx, accountID)
	if err != nil || f == nil {
		return err
	}
	refuse := func(why string) error {
		return (&fault.Error{Kind: fault.KindUnauthenticated}).AddField("totp", why)
	}
	if strings.TrimSpace(code) == "" {
		return refuse("is needed: the six digits that your device shows, or a recovery code")
	}
	if err := s.failedTooOften(ctx, accountID, audit.CodeFailed, codeFailures, now); err != nil {
		return err
	}
	step, ok := stepOf(f.Secret, code, now)
	if ok {
		err = s.store.UseFactorStep(ctx, accountID, step)
	} else {
		err = s.useRecovery(ctx, accountID, code, now)
	}
	if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound) {
		if err := audit.AddBy(ctx, s.store, now, audit.CodeFailed, accountID, "", ""); err != nil {
			return err
		}
		return refuse("is wrong, or was used before")
	}
	return err
}

func (s *Service) useRecovery(ctx context.Context, accountID, code string, now time.Time) error {
	return s.store.InTx(ctx, func(tx store.Store) error {
		if err := tx.UseRecoveryCode(ctx, accountID, recoveryHash(code)); err != nil {
			return err
		}
		return audit.AddBy(ctx, tx, now, audit.RecoveryUsed, accountID, accountID, "")
	})
}
