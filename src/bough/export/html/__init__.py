"""A conversation as fragments of HTML, and as one page that stands alone."""
