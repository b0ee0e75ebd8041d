/** Links between documents lead to a file and heading that exist. */

import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const documents = globSync(
  '{*,docs/**/*,.github/**/*,{bench,cli,clients,console,functions,infra,lib,scripts,test}/**/*}.md',
  { exclude: ['**/node_modules'] },
).sort();

/** The text without code: a heading or a link in there is none. */
const proseOf = (path: string) =>
  readFileSync(path, 'utf8')
    .replace(/^ *```[\s\S]*?^ *```/gm, '')
    .replace(/`[^`\n]*`/g, (code) => (code.includes('](') ? '' : code));

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const anchorsOf = (path: string) =>
  [...proseOf(path).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

test('the documents that GitHub shows are tested', () => {
  expect(documents).toEqual(
    expect.arrayContaining([
      'README.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CODE_OF_CONDUCT.md',
      'cli/README.md',
      'clients/python/README.md',
      'clients/typescript/README.md',
    ]),
  );
});

test.each(documents)('%s', (path) => {
  const broken = [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const other = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(other)) return true;
      return anchor !== undefined && (statSync(other).isDirectory() || !anchorsOf(other).includes(anchor));
    });
  expect(broken).toEqual([]);
});

/** The last line of a box has its paths. */
test.each(documents)('the boxes of diagrams in %s name files and folders that exist', (path) => {
  const diagrams = [...readFileSync(path, 'utf8').matchAll(/^```mermaid\nflowchart ([\s\S]*?)^```$/gm)];
  const boxes = diagrams.flatMap(([, code = '']) => [...code.matchAll(/\["?\(?"([^"]+)"/g)]);
  const words = boxes.flatMap(([, label = '']) => (label.split('<br/>').at(-1) ?? '').split(/[\s,]+/));
  expect(words.filter((word) => /\/|\.\w+$/.test(word) && !existsSync(word))).toEqual([]);
});
