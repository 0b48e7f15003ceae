"""The values builders write: ids, client versions, tool results, file layouts."""
