"""All kinds of sums that reports of statistics are made of, for who makes them ahead."""

from bough.query.stats.activity import ANSWER_SUMS, PROMPT_SUMS
from bough.query.stats.files import FILE_SUMS
from bough.query.stats.hooks import HOOK_SUMS
from bough.query.stats.models import MODEL_SUMS
from bough.query.stats.tools import TOOL_SUMS
from bough.store.stats_protocol import SumBuilder


def list_sum_kinds() -> tuple[SumBuilder, ...]:
    """List all kinds of sums."""
    return PROMPT_SUMS, ANSWER_SUMS, FILE_SUMS, HOOK_SUMS, MODEL_SUMS, TOOL_SUMS
