# Written by `npm run generate`.

version = "0.1.0"
