"""Records: bytes become typed values here, and nowhere else."""
