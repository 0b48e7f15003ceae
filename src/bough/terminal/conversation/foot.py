"""The foot of an exchange: what it took, in one quiet line.

5 steps, 1 agent, 2 min 24 s, 31% of context, 2.1k out, $0.72
"""

from collections.abc import Sequence

from bough.model.conversation.exchange_summary import foot_words
from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.turns import Turn
from bough.terminal.conversation.toolrows import INDENT
from bough.terminal.conversation.turns import Setting
from bough.terminal.style import Role


def foot(exchange: Exchange, turns: Sequence[Turn], setting: Setting) -> list[str]:
    """Write what an exchange took; nothing where Claude did not answer at all."""
    answers = [turn for turn in turns if turn.kind == "assistant"]
    context = setting.contexts.get(answers[-1].uuid or "") if answers else None
    groups = foot_words(exchange, answers, context)
    words = ", ".join(word for group in groups for word in group)
    return [setting.sheet.line([(Role.META, words)], indent=INDENT)] if words else []
