/** Builds the API reference: dist/reference/page.html, and the files that it loads. */

import { resolve } from 'node:path';
import { referenceFolder } from '../../lib/http/page-folders.ts';
import { fetchPackage } from '../shared/fetched-packages.ts';
import { root } from '../shared/root.ts';
import { ensured } from '../shared/web-page.ts';

const here = (name: string) => resolve(import.meta.dirname, name);

/** Builds the files if they are missing, or made by another version. */
export const ensureReference = ensured({
  folder: referenceFolder,
  entry: here('page.js'),
  sources: () => [
    ...['build.ts', 'page.js', 'page.css', 'accessibility.js', 'licences.txt'].map(here),
    resolve(root, 'scripts/shared/web-page.ts'),
    resolve(root, 'scripts/shared/licences.mjs'),
    resolve(root, 'scripts/shared/fetched-packages.ts'),
  ],
  prepare: () => fetchPackage('@scalar/api-reference'),
  // Scalar is one library here: it comes as its authors have built it.
  licencesInside: here('licences.txt'),
  // Addresses are relative to the page: it is at /docs, and its files are below /docs/. Scalar adds its styles to the head, so the
  // styles of the page come later.
  html: ({ script, style, licences }) => `<!doctype html>
<html lang="en">
<!-- The licences of the libraries on this page: docs/${licences} -->
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Platform API reference</title>
<link rel="icon" href="data:,">
<script type="module" src="docs/${script}"></script>
</head>
<body>
<noscript>The API reference needs JavaScript. <a href="openapi.json">openapi.json</a> has the same contents.</noscript>
<div id="reference"></div>
<link rel="stylesheet" href="docs/${style}">
</body>
</html>
`,
});
