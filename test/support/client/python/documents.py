"""Reads a path and a text as JSON from each line, and prints the document that they become, and how long this took."""

import json
import sys
import time

from platform_api.helpers.documents import document_from

for line in sys.stdin:
    path, content = json.loads(line)
    begin = time.perf_counter()
    document = document_from(path, content)
    took = (time.perf_counter() - begin) * 1000
    shown = {
        "externalId": document["external_id"],
        "title": document["title"],
        "content": document["content"],
        "mimeType": document["mime_type"],
        "tookMs": took,
    }
    print(json.dumps(shown), flush=True)
