/** The synchronous variant of the Python client, from the modules of the asynchronous one. */

import { globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { root } from '../../shared/root.ts';

const folder = 'clients/python/src/platform_api';

/** These modules are not made from others: the synchronous client has them in _blocking, with the code that differs. */
const ownFiles = ['__init__.py', 'io.py', 'work.py'];

/** The start of a module that `npm run generate` writes. */
const notice = /^# Written by .*\n\n/;

/** @returns the text of each module by its path, relative to the root */
export function synchronousFiles(): Record<string, string> {
  const paths = globSync(`${folder}/_async/*.py`, { cwd: root }).sort();
  const modules = paths
    .filter((path) => !ownFiles.includes(basename(path)))
    .map((path): [string, string] => {
      const name = basename(path);
      const text = readFileSync(resolve(root, path), 'utf8');
      return [
        `${folder}/_sync/${name}`,
        `# Made from _async/${name}.\n\n${unasync(text.replace(notice, ''))}`,
      ];
    });
  const about =
    '"""The synchronous client. Its modules are made from those of _async, and are not in git."""\n';
  return { [`${folder}/_sync/__init__.py`]: about, ...Object.fromEntries(modules) };
}

const words: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|for|with)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bStopAsyncIteration\b/g, 'StopIteration'],
  [/\b__a(iter|next|enter|exit)__\b/g, '__$1__'],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/\ba(close|next)\b/g, '$1'],
  [/\b(_*)Async(?=[A-Z])/g, '$1'],
  [/^from \.(io|work) import /gm, 'from .._blocking.$1 import '],
];

/**
 * @param text a module whose waiting is in `async` and `await`, and whose names begin with `Async`
 * @returns the module without waiting
 */
export function unasync(text: string): string {
  const plain = words.reduce((current, [word, replacement]) => current.replace(word, replacement), text);
  return withoutAwaitables(plain.replace(/^( *from [\w.]+ import )([^\n(]+)$/gm, importOnce)).replace(
    twice,
    '$1',
  );
}

/** A name that the asynchronous variant has twice, such as `AsyncIterable` and `Iterable`. */
const importOnce = (_: string, start: string, names: string) =>
  start + [...new Set(names.split(', '))].filter((name) => name !== 'Awaitable').join(', ');

/** The members of a union that the asynchronous variant has twice, such as `AsyncIterable[X] | Iterable[X]`. */
const twice = /(?<![\w.])([A-Za-z]\w*(?:\[\w+\])?) \| \1(?![\w.[])/g;

/** Writes `Awaitable[X]` as `X`. */
function withoutAwaitables(text: string): string {
  const open: string[] = [];
  const kept = text.split(/(\bAwaitable\[|\[|\])/).filter((piece) => {
    if (piece.endsWith('[')) open.push(piece);
    const last = piece === ']' ? open.pop() : piece;
    return last !== 'Awaitable[';
  });
  if (open.includes('Awaitable[')) throw new Error('a bracket of Awaitable is not closed');
  return kept.join('');
}
