"""The synchronous client. All files but io.py are made from those of _async by ``npm run generate``."""
