package openapi

//go:generate go tool oapi-codegen -config types.cfg.yaml openapi.yaml
//go:generate go tool oapi-codegen -config server.cfg.yaml openapi.yaml
