/** What a browser loads for a page: the sizes of its files, compressed with gzip as API Gateway compresses them. */

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

type Read = (name: string) => string;

/** @returns the names of the files that a module needs before it runs, and its own */
function closureOf(names: readonly string[], read: Read): Set<string> {
  const found = new Set<string>();
  const wanted = [...names];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    for (const [, specifier = ''] of read(name).matchAll(/(?:from|import)\s*"(\.\.?\/[^"]+\.js)"/g))
      wanted.push(new URL(specifier, `file:///${name}`).pathname.slice(1));
  }
  return found;
}

/** @returns kilobytes after gzip */
const kilobytesOf = (names: Iterable<string>, read: Read): number =>
  [...names].reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0) / 1000;

export type PageSize = { pattern: string; kilobytes: number };

/**
 * @param folder the built console
 * @returns what the first page of a visit loads, and what each page adds to it
 */
export function consoleSizes(folder: string): { first: number; pages: PageSize[] } {
  const read: Read = (name) => readFileSync(resolve(folder, name), 'utf8');
  const names = readdirSync(folder);
  const start = names.filter((name) => /^main-.*\.(js|css)$/.test(name));
  const first = closureOf(start, read);
  const pages = names
    .filter((name) => name.endsWith('.js'))
    // The entries of console/src/pages/registry.ts, as esbuild writes them.
    .flatMap((name) => read(name).split('pattern:"').slice(1))
    .flatMap((entry) => {
      const pattern = entry.split('"')[0] ?? '';
      const [, file] = /import\("\.\/([\w.-]+)"\)/.exec(entry) ?? [];
      if (!file) return [];
      const own = [...closureOf([file], read)].filter((name) => !first.has(name));
      return [{ pattern, kilobytes: kilobytesOf(own, read) }];
    });
  return { first: kilobytesOf([...first, 'page.html'], read), pages };
}
