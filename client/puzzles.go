package client

// PuzzlesService is filled in with its group of the specification.
type PuzzlesService struct{ service }
