package client

// VariantsService is filled in with its group of the specification.
type VariantsService struct{ service }
