package client

// GamesService is filled in with its group of the specification.
type GamesService struct{ service }
