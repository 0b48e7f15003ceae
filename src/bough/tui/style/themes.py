"""The two themes, in the tokens of the web app, one without colours, and the layout's style."""

from typing import Final

from textual.theme import Theme

DARK: Final = Theme(
    name="bough-dark",
    dark=True,
    primary="#5CCB94",
    secondary="#82B4F4",
    accent="#5CCB94",
    warning="#E2BF55",
    error="#F48D84",
    success="#5CCB94",
    foreground="#E5EBE6",
    background="#0D110F",
    surface="#131815",
    panel="#1A201C",
    variables={"line": "#29322C"},
)
LIGHT: Final = Theme(
    name="bough-light",
    dark=False,
    primary="#12724A",
    secondary="#1B5EBF",
    accent="#12724A",
    warning="#775800",
    error="#B3231C",
    success="#12724A",
    foreground="#18201B",
    background="#F5F7F4",
    surface="#FFFFFF",
    panel="#E9EEE8",
    variables={"line": "#DDE3DC"},
)
PLAIN: Final = Theme(
    name="bough-plain",
    dark=True,
    primary="ansi_default",
    secondary="ansi_default",
    accent="ansi_default",
    warning="ansi_default",
    error="ansi_default",
    success="ansi_default",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    ansi=True,
    variables={"line": "ansi_default"},
)
THEMES: Final = (DARK, LIGHT, PLAIN)


CSS: Final = """
Screen { background: $surface; layers: base above; }
Input { height: 1; border: none; padding: 0 1; background: $panel; }
Input:focus { border: none; }
.hidden { display: none; }
ToastRack { margin: 0; }
Toast { padding: 0 1; margin: 0; }
ListView:focus { background: $surface; }
#side { width: 34; border-right: solid $line; }
#facts { width: 32; border-left: solid $line; }
#detail { border-left: solid $line; width: 46; }
#detail.below { border: none; border-top: solid $line; width: 1fr; height: 9; }
#preview { border-left: solid $line; width: 2fr; max-width: 100; }
.halves #list, .halves #column { width: 3fr; }
#column #list { width: 1fr; }
#cards { height: 3fr; }
#second { border-left: solid $line; }
#stream { height: 2fr; border-top: solid $line; }
#offers { height: 1; background: $panel; }
#side:focus { border-right: solid $primary; }
#facts:focus, #detail:focus, #preview:focus, #second:focus { border-left: solid $primary; }
#detail.below:focus, #stream:focus { border-top: solid $primary; }
"""
