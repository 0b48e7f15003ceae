"""How the parts of the screens are laid out, in Textual's own language."""

from typing import Final

CSS: Final = """
Screen { background: $surface; layers: base above; }
Input { height: 1; border: none; padding: 0 1; background: $panel; }
Input:focus { border: none; }
.hidden { display: none; }
Reel:focus { background: $surface; }
#side { width: 34; border-right: solid $line; }
#facts { width: 32; border-left: solid $line; }
#detail { border-left: solid $line; width: 46; }
#detail.below { border: none; border-top: solid $line; width: 1fr; height: 9; }
#preview { border-left: solid $line; width: 2fr; max-width: 100; }
.halves #list { width: 3fr; }
#cards { height: 3fr; }
#second { border-left: solid $line; }
#stream { height: 2fr; border-top: solid $line; }
#offers { height: 1; background: $panel; }
#side:focus { border-right: solid $primary; }
#facts:focus, #detail:focus, #preview:focus, #second:focus { border-left: solid $primary; }
#detail.below:focus, #stream:focus { border-top: solid $primary; }
"""
