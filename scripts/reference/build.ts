/**
 * Builds the API reference: dist/reference/page.html, and the files that it loads, with the hash of their contents in their
 * names. They are the same for every stage and base path.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { referenceFolder } from '../../lib/http/reference-folder.ts';
import { licenceTexts } from '../shared/licences.mjs';
import { root } from '../shared/root.ts';

const stampFile = resolve(referenceFolder, 'stamp');

/** The page shows no messages of zod in other languages. */
const withoutLocales: Plugin = {
  name: 'without-locales',
  setup({ onLoad }) {
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {}' }));
  },
};

let built: Promise<void> | undefined;

/** Builds the files if they are missing, or made by another version. */
export function ensureReference(): Promise<void> {
  built ??= isCurrent() ? Promise.resolve() : buildReference();
  return built;
}

async function buildReference(): Promise<void> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { reference: resolve(import.meta.dirname, 'page.js') },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir: referenceFolder,
    plugins: [withoutLocales],
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    define: {
      'process.env.NODE_ENV': '"production"',
      // Vue's build flags (https://vuejs.org/api/compile-time-flags).
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    // The texts of the licences are in a file of their own.
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const licences = await licenceTexts(Object.keys(metafile.inputs), root);
  const files = new Map<string, string | Uint8Array>([
    ...outputFiles.map(({ path, contents }) => [basename(path), contents] as const),
    [`licences-${hashOf(licences).slice(0, 8)}.txt`, licences],
  ]);
  mkdirSync(referenceFolder, { recursive: true });
  const old = readdirSync(referenceFolder).filter((name) => /\.(js|css|txt)$/.test(name) && !files.has(name));
  for (const name of old) rmSync(resolve(referenceFolder, name), { force: true });
  for (const [name, contents] of files) write(name, contents);
  write('page.html', page([...files.keys()]));
  write('stamp', stamp());
}

/** Another process may build the same files, or read them. */
function write(name: string, contents: string | Uint8Array): void {
  const temporary = resolve(referenceFolder, `${name}.${process.pid}`);
  writeFileSync(temporary, contents);
  renameSync(temporary, resolve(referenceFolder, name));
}

/** @returns the page. Addresses are relative to it: it is at /docs, and its files are below /docs/ */
function page(files: readonly string[]): string {
  const find = (start: string, end: string) =>
    files.find((name) => name.startsWith(start) && name.endsWith(end));
  const [script, style] = ['.js', '.css'].map((end) => find('reference-', end));
  return `<!doctype html>
<html lang="en">
<!-- The licences of the libraries on this page: docs/${find('licences-', '.txt')} -->
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
`;
}

/** Names what the files are made from: the sources here, and the version of Scalar. */
function stamp(): string {
  const manifest = resolve(root, 'node_modules/@scalar/api-reference/package.json');
  const names = ['build.ts', 'page.js', 'page.css', 'accessibility.js', '../shared/licences.mjs'];
  const sources = names.map((name) => resolve(import.meta.dirname, name));
  return hashOf([...sources, manifest].map((file) => readFileSync(file, 'utf8')).join('\n'));
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function isCurrent(): boolean {
  try {
    return readFileSync(stampFile, 'utf8') === stamp();
  } catch {
    return false;
  }
}
