"""schemathesis over the OpenAPI document: whatever is asked, the answer is of the schema."""

from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from bough.web.openapi import make_openapi
from tests.sampled import scale_examples
from tests.web.serving import Served

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
SCHEMA = schemathesis.openapi.from_dict(msgspec.json.decode(msgspec.json.encode(make_openapi())))
# Events never end; they have tests of their own.
FOUND: list[Any] = [found.ok() for found in SCHEMA.get_all_operations()]  # type: ignore[union-attr]
OPERATIONS = [one for one in FOUND if one.path != "/api/events"]
OF_SESSIONS = [one for one in OPERATIONS if "{session}" in one.path]
FEW = settings(
    max_examples=scale_examples(25),
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def sessions(served: Served) -> list[str]:
    return [row["id"] for row in served.get("/api/sessions?limit=500")["rows"]]


@pytest.mark.hypothesis
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.path)
def test_every_answer_is_of_its_schema(operation: Any, served: Served) -> None:
    token = served.token

    @FEW
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        answer = case.call(base_url=served.address, headers={"X-Bough-Token": token})
        case.validate_response(answer, checks=CHECKS)

    ask()


@pytest.mark.hypothesis
@pytest.mark.parametrize("operation", OF_SESSIONS, ids=lambda one: one.path)
def test_every_answer_about_a_real_session_is_of_its_schema(
    operation: Any, served: Served, sessions: list[str]
) -> None:
    asked = 0

    @FEW
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        nonlocal asked
        case.path_parameters["session"] = sessions[asked % len(sessions)]
        asked += 1
        answer = case.call(base_url=served.address)
        case.validate_response(answer, checks=CHECKS)

    ask()

    assert asked > 0


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.path)
def test_params_off_the_schema_are_no_error_of_ours(operation: Any, served: Served) -> None:
    mode = schemathesis.GenerationMode.NEGATIVE

    @FEW
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        answer = case.call(base_url=served.address)
        case.validate_response(answer, checks=CHECKS)

    if operation.query or operation.path_parameters:
        ask()
