/**
 * Builds a page that the service serves: page.html, and the files that it loads, with the hash of their contents in their names.
 * They are the same for every stage and base path.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { type BuildOptions, build, stop } from 'esbuild';
import { licenceTexts } from './licences.mjs';
import { root } from './root.ts';

export type WebPage = {
  /** Where the files are written. */
  folder: string;
  /** The script that the page loads. */
  entry: string;
  /** The files that the page is made from: with other contents, it is built again. */
  sources: () => readonly string[];
  options?: BuildOptions;
  /** Runs before the page is built. */
  prepare?: () => Promise<void>;
  /** A file with the licences of libraries that come inside another library. */
  licencesInside?: string;
  /** @returns the page, which loads these files */
  html: (files: { script: string; style: string; licences: string }) => string;
};

/** @returns a function that builds the page if it is missing, or made from other sources */
export function ensured(page: WebPage): () => Promise<void> {
  let built: Promise<void> | undefined;
  return () => {
    built ??= isCurrent(page) ? Promise.resolve() : buildPage(page);
    return built;
  };
}

async function buildPage(page: WebPage): Promise<void> {
  const { folder, entry, options, prepare, licencesInside, html } = page;
  if (prepare) await prepare();
  const { outputFiles = [], metafile } = await run({
    absWorkingDir: root,
    entryPoints: { main: entry },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    // The texts of the licences are in a file of their own.
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
    ...options,
  });
  const inside = licencesInside ? [readFileSync(licencesInside, 'utf8')] : [];
  const licences = [await licenceTexts(Object.keys(metafile?.inputs ?? {}), root), ...inside].join(
    `\n${'-'.repeat(80)}\n\n`,
  );
  const files = new Map<string, string | Uint8Array>([
    ...outputFiles.map(({ path, contents }) => [basename(path), contents] as const),
    [`licences-${hashOf(licences).slice(0, 8)}.txt`, licences],
  ]);
  mkdirSync(folder, { recursive: true });
  const old = assetNames(folder).filter((name) => !files.has(name));
  for (const name of old) rmSync(resolve(folder, name), { force: true });
  const write = (name: string, contents: string | Uint8Array) => writeAtOnce(folder, name, contents);
  for (const [name, contents] of files) write(name, contents);
  const find = (start: string, end: string) =>
    [...files.keys()].find((name) => name.startsWith(start) && name.endsWith(end)) ?? '';
  const named = {
    script: find('main-', '.js'),
    style: find('main-', '.css'),
    licences: find('licences-', '.txt'),
  };
  write('page.html', html(named));
  write('stamp', stampOf(page));
}

let running = 0;

/** Ends esbuild's process after the last build: it would keep half a gigabyte for as long as the dev server runs. */
async function run(options: BuildOptions) {
  running += 1;
  try {
    return await build(options);
  } finally {
    running -= 1;
    if (running === 0) await stop();
  }
}

/** @returns the names of the files that a page loads */
export const assetNames = (folder: string): string[] =>
  readdirSync(folder).filter((name) => /\.(js|css|txt)$/.test(name));

/** Another process may build the same files, or read them. */
function writeAtOnce(folder: string, name: string, contents: string | Uint8Array): void {
  const temporary = resolve(folder, `${name}.${process.pid}`);
  writeFileSync(temporary, contents);
  renameSync(temporary, resolve(folder, name));
}

const stampOf = ({ sources }: WebPage): string =>
  hashOf(
    sources()
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n'),
  );

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function isCurrent(page: WebPage): boolean {
  try {
    return readFileSync(resolve(page.folder, 'stamp'), 'utf8') === stampOf(page);
  } catch {
    return false;
  }
}
