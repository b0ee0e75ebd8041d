/** Makes the synchronous client from the asynchronous one. */

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

/** @param text a module whose waiting is in `async` and `await`, and whose names begin with `Async` */
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

/** `Awaitable[X]` as `X`. */
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
