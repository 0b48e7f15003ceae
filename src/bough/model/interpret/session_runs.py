"""How a session runs: typed by a person, led by a program, in the background, in the cloud."""

TYPED = "typed"
PROGRAM = "program"
BACKGROUND = "background"
CLOUD = "cloud"


def classify_run(entrypoint: str | None, session_kind: str | None) -> str:
    """Tell how a session runs, by what its records say started the client."""
    if session_kind == "bg":
        return BACKGROUND
    started = entrypoint or ""
    if started.startswith("remote"):
        return CLOUD
    return PROGRAM if started.startswith("sdk") else TYPED
