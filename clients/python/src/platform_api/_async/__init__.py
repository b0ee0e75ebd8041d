"""The asynchronous client. The synchronous one is made from it, and has its own io.py and work.py, in _blocking."""
