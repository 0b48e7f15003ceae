"""The archive: transcripts kept for good, in a form that outlives bough."""
