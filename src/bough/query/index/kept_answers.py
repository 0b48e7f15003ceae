"""Answers that an index keeps until a file changes, for questions that look at everything."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import msgspec

if TYPE_CHECKING:
    from bough.store.protocol import Store

Answer = TypeVar("Answer")


def load_or_make_answer(
    store: "Store",
    question: bytes,
    make: Callable[[], Answer],
    *,
    pack: Callable[[Answer], bytes],
    unpack: Callable[[bytes], Answer],
) -> Answer:
    """Give the answer to a question that was kept, or make it and keep it.

    The question names all that the answer depends on, beside the files.
    """
    state = store.state()
    kept = store.load_answer(question, state)
    if kept is not None:
        with suppress(msgspec.MsgspecError):
            return unpack(kept)
    made = make()
    with suppress(OverflowError):  # numbers that no client wrote; the next one counts again
        store.save_answer(question, state, pack(made))
    return made
