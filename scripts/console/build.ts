/** Builds the console: dist/console/page.html, and the files that it loads. */

import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { consoleFolder } from '../../lib/http/page-folders.ts';
import { root } from '../shared/root.ts';
import { ensured } from '../shared/web-page.ts';

/** Builds the files if they are missing, or made by another version. */
export const ensureConsole = ensured({
  folder: consoleFolder,
  entry: resolve(root, 'console/src/main.tsx'),
  sources: () =>
    [
      ...globSync('{console,clients/typescript}/src/**/*.{ts,tsx,css}', { cwd: root }).sort(),
      'cli/src/derived/operation.ts',
      'cli/src/generated/operations.json',
      'scripts/console/build.ts',
      'scripts/shared/web-page.ts',
      'scripts/shared/licences.mjs',
      'package-lock.json',
    ].map((name) => resolve(root, name)),
  options: { jsx: 'automatic', jsxImportSource: 'preact', tsconfigRaw: {} },
  // Addresses are relative to the page: it is at /console, and its files are below /console/.
  html: ({ script, style, licences }) => `<!doctype html>
<html lang="en">
<!-- The licences of the libraries on this page: console/${licences} -->
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Platform console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="console/${style}">
<script type="module" src="console/${script}"></script>
</head>
<body data-sign-in="">
<noscript>The console needs JavaScript. <a href="docs">The API reference</a> describes the same functions.</noscript>
<div id="console"></div>
</body>
</html>
`,
});
