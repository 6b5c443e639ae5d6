// The paths are absolute because the page answers at /docs and at /docs/ alike.
SwaggerUIBundle({
  url: "/docs/openapi.yaml",
  dom_id: "#reader",
  deepLinking: true,
  filter: true,
  docExpansion: "none",
  persistAuthorization: false,
  validatorUrl: null,
});
