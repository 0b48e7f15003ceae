"""Models: how often each answered. What that cost is the ledger's business."""

from collections.abc import Sequence

from msgspec import Struct

from bough.query.stats.answer_sums import ANSWER_SUMS, AnswerSum
from bough.store.stats_protocol import StatsScope, StatsSource


class ModelRow(Struct, frozen=True):
    """One model: its answers, how many of them were an agent's, and in how many sessions."""

    model: str
    answers: int
    agent_answers: int
    sessions: int
    first: str | None
    last: str | None


class ModelTotals(Struct, frozen=True):
    """All models together."""

    answers: int
    agent_answers: int
    sessions: int


class ModelReport(Struct, frozen=True):
    """Models, those that answered most first."""

    rows: list[ModelRow]
    totals: ModelTotals


def model_report(behaviour: StatsSource, scope: StatsScope) -> ModelReport:
    """Count the answers of each model."""
    sums = ANSWER_SUMS.count(behaviour, scope)
    by_model: dict[str, list[AnswerSum]] = {}
    for (_, model), found in sums.items():
        by_model.setdefault(model, []).append(found)
    rows = sorted(
        (_model_row(model, found) for model, found in by_model.items()),
        key=lambda row: (-row.answers, row.model),
    )
    totals = ModelTotals(
        sum(row.answers for row in rows),
        sum(row.agent_answers for row in rows),
        len({session for session, _ in sums}),
    )
    return ModelReport(rows, totals)


def _model_row(model: str, by_session: Sequence[AnswerSum]) -> ModelRow:
    return ModelRow(
        model,
        sum(one.answers for one in by_session),
        sum(one.agents for one in by_session),
        len(by_session),
        min((one.first for one in by_session if one.first is not None), default=None),
        max((one.last for one in by_session if one.last is not None), default=None),
    )
