"""Hooks for schemathesis: who sends a generated request, which of its values shall exist, and what else an answer must
be. The server under test is at HOPLITE_CONTRACT_URL; what was answered goes to the file HOPLITE_CONTRACT_REPORT."""

import atexit
import collections
import json
import os
import sys

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.core.parameters import ParameterLocation

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import lenient  # noqa: E402
from fill import Filler  # noqa: E402
from world import World  # noqa: E402

WORLD = World(os.environ["HOPLITE_CONTRACT_URL"])
FILLER = Filler(WORLD)
COUNTS = collections.Counter()
CALLERS = {}  # and the draws of requests that are about to be sent
ANSWERS = collections.defaultdict(collections.Counter)

# What `default` in a list of answers stands for: statuses that any operation may give and none describes itself.
COMMON = {400, 404, 405, 413, 415, 421, 431, 503}


@atexit.register
def report():
    with open(os.environ["HOPLITE_CONTRACT_REPORT"], "w", encoding="utf-8") as file:
        json.dump(ANSWERS, file, indent=1, sort_keys=True)


def operation_id(operation):
    return operation.definition.raw["operationId"]


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """A line of a stream is described, a body holds many."""
    for item in raw_schema["paths"].values():
        for operation in item.values():
            if not isinstance(operation, dict):
                continue
            for answer in operation.get("responses", {}).values():
                lines = answer.get("content", {}).get("application/x-ndjson")
                if lines:
                    lines["schema"] = {"type": "array", "items": lines["schema"]}


@schemathesis.deserializer("application/x-ndjson")
def lines(context, response):
    """A body of lines as a list. A blank line within a body that ends is an error for clients that read it whole."""
    text = response.content.decode("utf-8")
    return [json.loads(line) for line in text.removesuffix("\n").split("\n")] if text else []


@schemathesis.auth(refresh_interval=None)
class Callers:
    """Chooses who calls: mostly somebody who may, now and then somebody who may not."""

    def get(self, case, context):
        name = operation_id(context.operation)
        draw = (COUNTS[name] + 4) % 16
        COUNTS[name] += 1
        caller = FILLER.caller(context.operation, draw)
        CALLERS[case.id] = caller, draw
        return None if caller is None else (caller,)

    def set(self, case, data, context):
        caller = data[0]
        if caller.cookie:
            case.cookies["hoplite_session"] = caller.key
        else:
            case.headers["Authorization"] = "Bearer " + caller.key


@schemathesis.hook
def before_call(context, case, kwargs):
    """Puts values into the request that exist on the server. What was made wrong on purpose stays wrong."""
    caller, draw = CALLERS.pop(case.id, (None, 1))
    meta = case.meta
    if meta is None or case.method.upper() != context.operation.method.upper() or draw == 1:
        return
    FILLER.fill(
        operation_id(context.operation), caller, case,
        path=not meta.is_negative_at(ParameterLocation.PATH),
        query=not meta.is_negative_at(ParameterLocation.QUERY),
        body=not meta.is_negative_at(ParameterLocation.BODY),
    )


@schemathesis.hook
def after_call(context, case, response):
    if case.method.upper() != case.operation.method.upper():
        return
    name = operation_id(case.operation)
    ANSWERS[name][str(response.status_code)] += 1
    if response.status_code < 300 and case.method.upper() != "GET":
        FILLER.used(name)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Nothing is wrong with taking what the description says is read leniently."""
    if not isinstance(failure, AcceptedNegativeData):
        return True
    schema = case.operation.schema.raw_schema
    return not lenient.acceptable(case, case.operation.definition.raw, schema)


class Undescribed(Failure):
    """An answer that the operation does not list."""


@schemathesis.check
def described_status(ctx, response, case):
    """`default` is no excuse for an answer that an operation should list."""
    listed = case.operation.definition.raw["responses"]
    status = response.status_code
    if response.request.method == "OPTIONS":
        return
    if str(status) in listed or status in COMMON and status not in (400, 404):
        return
    if status == 404 and case.method.upper() != case.operation.method.upper():
        return
    raise Undescribed(operation=case.operation.label, title="Status not listed",
                      message=f"Status {status} is not among {sorted(listed)}")
