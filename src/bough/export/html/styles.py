"""The style sheets of documents, whole: a sheet may be made of parts that it imports.

The front end's build joins the same parts in the same order, from the same list.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

_LOOK: Final = Path(__file__).parent.parent / "look"
_PART: Final = re.compile(r'^@import "\./([\w/]+\.css)";$', re.MULTILINE)


@cache
def style_of_documents() -> str:
    """Return all that a document needs to look like the web pages."""
    return "\n".join(map(sheet, ("tokens.css", "conversation.css", "document.css")))


def sheet(name: str) -> str:
    """Read a style sheet, with its parts where they are imported."""
    text = (_LOOK / name).read_text(encoding="utf-8")
    return _PART.sub(lambda part: sheet(part[1]), text)
