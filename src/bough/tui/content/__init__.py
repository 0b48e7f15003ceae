"""What screens show, made off the screen: previews, cards, hits, reports, differences."""
