"""What the description says means the same: requests that break a schema only in one of these ways are no wrong ones."""

import json

import jsonschema_rs

FLAGS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


def resolve(schema, root):
    while isinstance(schema, dict) and "$ref" in schema:
        at = root
        for name in schema["$ref"].removeprefix("#/").split("/"):
            at = at[name]
        schema = at
    return schema


def read(value, schema):
    """Reads a value as the type that a schema asks for, as it may be written in a form."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "string" in kinds and isinstance(value, (bool, int, float, list)):
        if isinstance(value, list) and all(isinstance(v, str) for v in value):
            return ",".join(value)
        return json.dumps(value) if not isinstance(value, (bool, list)) else value
    if not isinstance(value, (str, int)) or isinstance(value, bool):
        return value
    text = str(value).strip()
    if "boolean" in kinds or schema.get("enum") == ["true", "false"]:
        if text.lower() in FLAGS:
            flag = FLAGS[text.lower()]
            return flag if "boolean" in kinds else json.dumps(flag)
    if "array" in kinds:
        return text.replace(",", " ").split()
    if "integer" in kinds or "number" in kinds:
        try:
            return json.loads(text)
        except ValueError:
            return value
    return value


def clean(values, schemas, root):
    """Drops what counts as absent and reads the rest."""
    out = {}
    for name, value in values.items():
        if isinstance(value, list) and len(value) == 1 and "array" not in str(resolve(schemas.get(name, {}), root)):
            value = value[0]
        if value is None or value == "" or isinstance(value, str) and not value.strip():
            continue
        out[name] = read(value, resolve(schemas.get(name, {}), root))
    return out


def valid(value, schema, root):
    return jsonschema_rs.is_valid({"$ref": "#/of/it", "of": {"it": schema}, "components": root["components"]}, value)


def acceptable(case, raw, root):
    """Whether a request fits the description when it is read as leniently as the description says."""
    parameters = [resolve(p, root) for p in raw.get("parameters", [])]
    query = {p["name"]: p for p in parameters if p["in"] == "query"}
    schemas = {name: p["schema"] for name, p in query.items()}
    sent = clean(dict(case.query), schemas, root)
    for name, parameter in query.items():
        if name not in sent:
            if parameter.get("required"):
                return False
        elif not valid(sent[name], parameter["schema"], root):
            return False
    for p in parameters:
        if p["in"] == "header" and p["name"] in case.headers and not valid(case.headers[p["name"]], p["schema"], root):
            return False
        if p["in"] == "path" and not valid(read(case.path_parameters[p["name"]], resolve(p["schema"], root)), p["schema"], root):
            return False
    content = raw.get("requestBody", {}).get("content", {})
    if "application/json" not in content:
        return True
    body = {} if case.body is None else case.body  # the whole body may be absent too
    if not isinstance(body, dict):
        return not raw["requestBody"].get("required") and not body
    schema = resolve(content["application/json"]["schema"], root)
    return valid(clean(body, schema.get("properties", {}), root), schema, root)
