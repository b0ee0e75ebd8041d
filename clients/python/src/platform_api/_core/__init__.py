"""What the synchronous and the asynchronous client share. Nothing here reads or writes."""
