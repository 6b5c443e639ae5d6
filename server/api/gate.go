package api

import (
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v4"

	"hoplite/server/spec"
)

// Gate is what every request of the API passes before its handler: it finds out who calls, turns the request into
// its canonical form and checks it against the spec.
type Gate struct {
	doc  *spec.Document
	auth Authenticator
	log  *slog.Logger
}

// NewGate returns a gate for the operations of doc.
func NewGate(doc *spec.Document, auth Authenticator, log *slog.Logger) *Gate {
	return &Gate{doc: doc, auth: auth, log: log}
}

// Document returns the spec that the gate follows.
func (g *Gate) Document() *spec.Document { return g.doc }

const operationKey = "hoplite.operation"

// Operation returns the operation that a request was routed to, nil for a route outside of the spec.
func (g *Gate) operation(c echo.Context) *spec.Operation {
	if op, ok := c.Get(operationKey).(*spec.Operation); ok {
		return op
	}
	return g.doc.Lookup(c.Request().Method, c.Path())
}

// OperationOf returns the operation of a request that passed the gate's Route, nil for a route outside of the spec.
func OperationOf(c echo.Context) *spec.Operation {
	op, _ := c.Get(operationKey).(*spec.Operation)
	return op
}

// Route notes the operation. It comes first of the gate's middleware.
func (g *Gate) Route(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if op := g.doc.Lookup(c.Request().Method, c.Path()); op != nil {
			c.Set(operationKey, op)
		}
		return next(c)
	}
}

// Validate checks a canonical request against the spec. The error names each field that is wrong.
func (g *Gate) Validate(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if op := OperationOf(c); op != nil {
			if err := op.Check(c.Request()); err != nil {
				return err
			}
		}
		return next(c)
	}
}

// JSONNotFound answers paths under /api that do not exist.
func JSONNotFound(echo.Context) error { return Refuse(http.StatusNotFound, textNotFound) }
