"""The web app: what the library knows, over HTTP, for the page and for whoever asks.

The one way in is `bough.web.run`; nothing of it is loaded by the other faces.
"""
