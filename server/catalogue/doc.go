// Package catalogue serves the games' definitions: what there is to draw, to play and to read about
// each. It knows no game; everything comes from the compiled definitions.
package catalogue
