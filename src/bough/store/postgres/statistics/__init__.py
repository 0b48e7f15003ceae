"""Questions about behaviour to a team's store, and the sums that answer most of them."""
