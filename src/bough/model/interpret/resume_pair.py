"""What a client writes of its own accord when it resumes a session.

Where a line ends with something that is no answer (a prompt, a hook, an attachment), the client
puts an answer there that nobody gave: "No response requested." by the model `<synthetic>`. Those
of 2.1.100 and of 2.1.132 to 2.1.160 do so on every resume of a session with hooks, and put a
request before it that nobody made. Neither is talk: they are told by their words, because errors
and the words of an interrupted answer are `<synthetic>` too, and those were really shown to a
person.
"""

from typing import Final

from bough.model.interpret.message_kinds import SYNTHETIC
from bough.records.blocks import Text
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant, User

_REQUEST: Final = "Continue from where you left off."
_ANSWER: Final = "No response requested."


def is_placeholder(record: Record) -> bool:
    """Tell whether a client wrote this record in place of an answer that nobody gave."""
    if not isinstance(record, Assistant) or record.is_api_error_message:
        return False
    return message_of(record).model == SYNTHETIC and _says_only(record, _ANSWER)


def is_of_resume_pair(record: Record) -> bool:
    """Tell whether a client wrote this record because it resumed: a request or a placeholder."""
    if isinstance(record, User):
        return record.is_meta and _says_only(record, _REQUEST)
    return is_placeholder(record)


def _says_only(record: User | Assistant, words: str) -> bool:
    blocks = message_of(record).blocks
    return len(blocks) == 1 and isinstance(blocks[0], Text) and blocks[0].text.strip() == words
