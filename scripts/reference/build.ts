/** Builds the API reference: dist/reference/page.html, and the files that it loads. */

import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { referenceFolder } from '../../lib/http/page-folders.ts';
import { root } from '../shared/root.ts';
import { ensured } from '../shared/web-page.ts';

/** The page shows no messages of zod in other languages. */
const withoutLocales: Plugin = {
  name: 'without-locales',
  setup({ onLoad }) {
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {}' }));
  },
};

const here = (name: string) => resolve(import.meta.dirname, name);

/** Builds the files if they are missing, or made by another version. */
export const ensureReference = ensured({
  folder: referenceFolder,
  entry: here('page.js'),
  sources: () => [
    ...['build.ts', 'page.js', 'page.css', 'accessibility.js'].map(here),
    resolve(root, 'scripts/shared/web-page.ts'),
    resolve(root, 'scripts/shared/licences.mjs'),
    resolve(root, 'node_modules/@scalar/api-reference/package.json'),
  ],
  options: {
    plugins: [withoutLocales],
    define: {
      'process.env.NODE_ENV': '"production"',
      // Vue's build flags (https://vuejs.org/api/compile-time-flags).
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
  },
  // Addresses are relative to the page: it is at /docs, and its files are below /docs/.
  html: ({ script, style, licences }) => `<!doctype html>
<html lang="en">
<!-- The licences of the libraries on this page: docs/${licences} -->
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Platform API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/${style}">
<script type="module" src="docs/${script}"></script>
</head>
<body>
<noscript>The API reference needs JavaScript. <a href="openapi.json">openapi.json</a> has the same contents.</noscript>
<div id="reference"></div>
</body>
</html>
`,
});
