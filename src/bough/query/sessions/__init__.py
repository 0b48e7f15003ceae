"""Sessions opened: whole, in part, as they grow, with what lies beside them."""
