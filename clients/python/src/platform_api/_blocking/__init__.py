"""What the synchronous client does not share with the asynchronous one: HTTP, pauses and threads."""
