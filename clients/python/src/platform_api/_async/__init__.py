"""The asynchronous client. ``npm run generate`` makes the synchronous one from it, so io.py has all that differs."""
