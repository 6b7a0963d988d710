"""Files as data: from bytes to a tree that knows where everything stands."""
