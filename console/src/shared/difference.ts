/** What differs between two values, field by field, and between two texts, word by word. */

import { canonicalJson } from '../../../lib/base/json.ts';

export type Change = {
  /** The names that lead to the field: `['persona', 'prompt']`. */
  path: readonly string[];
  /** The earlier value; undefined if the field did not exist. */
  before: unknown;
  /** The later value; undefined if the field no longer exists. */
  after: unknown;
};

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b));

/** @returns the fields that differ, in the order of the fields. Objects are compared field by field, lists as a whole */
export function changesBetween(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (isEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    changesBetween(fieldOf(before, name), fieldOf(after, name), [...path, name]),
  );
}

/** A field may have the name of something that every object inherits, such as `constructor`. */
const fieldOf = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

export type Piece = { kind: 'same' | 'removed' | 'added'; text: string };

/** Texts with more differences are shown as one replacement, because the search takes quadratic time in their number. */
const maxDifferences = 400;

/** @returns the pieces of both texts in order: without the added pieces, they are `before`; without the removed pieces, `after` */
export function wordDifference(before: string, after: string): Piece[] {
  const a = words(before);
  const b = words(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end += 1;
  const middle = shortestEdit(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return joinPieces([
    { kind: 'same', text: a.slice(0, start).join('') },
    ...middle,
    { kind: 'same', text: a.slice(a.length - end).join('') },
  ]);
}

const words = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu) ?? [];

/** The algorithm of Myers (1986), with the furthest points of each step kept for the way back. */
function shortestEdit(a: readonly string[], b: readonly string[]): Piece[] {
  const replacement: Piece[] = [
    { kind: 'removed', text: a.join('') },
    { kind: 'added', text: b.join('') },
  ];
  if (a.length === 0 || b.length === 0) return replacement;
  const steps: Map<number, number>[] = [];
  let frontier = new Map([[1, 0]]);
  for (let count = 0; count <= Math.min(a.length + b.length, maxDifferences); count += 1) {
    steps.push(frontier);
    frontier = new Map(frontier);
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let x = startOf(frontier, diagonal, count);
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      frontier.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return wayBack(steps, a, b);
    }
  }
  return replacement;
}

const at = (frontier: ReadonlyMap<number, number>, diagonal: number): number => frontier.get(diagonal) ?? -1;

/** @returns whether the step to this diagonal adds a word, and does not remove one */
const isAddition = (frontier: ReadonlyMap<number, number>, diagonal: number, count: number): boolean =>
  diagonal === -count || (diagonal !== count && at(frontier, diagonal - 1) < at(frontier, diagonal + 1));

const startOf = (frontier: ReadonlyMap<number, number>, diagonal: number, count: number): number =>
  isAddition(frontier, diagonal, count) ? at(frontier, diagonal + 1) : at(frontier, diagonal - 1) + 1;

function wayBack(
  steps: readonly ReadonlyMap<number, number>[],
  a: readonly string[],
  b: readonly string[],
): Piece[] {
  const pieces: Piece[] = [];
  let x = a.length;
  let y = b.length;
  for (let count = steps.length - 1; count >= 0; count -= 1) {
    const frontier = steps[count] ?? new Map<number, number>();
    const isAdded = isAddition(frontier, x - y, count);
    const previousDiagonal = x - y + (isAdded ? 1 : -1);
    const previousX = count === 0 ? 0 : at(frontier, previousDiagonal);
    const previousY = count === 0 ? 0 : previousX - previousDiagonal;
    while (x > previousX && y > previousY && x > 0 && y > 0) {
      pieces.push({ kind: 'same', text: a[x - 1] ?? '' });
      x -= 1;
      y -= 1;
    }
    if (count === 0) break;
    pieces.push(
      isAdded ? { kind: 'added', text: b[y - 1] ?? '' } : { kind: 'removed', text: a[x - 1] ?? '' },
    );
    x = previousX;
    y = previousY;
  }
  return pieces.reverse();
}

/** Joins pieces of one kind. A space between two changed words counts as changed, so that a sentence is one piece. */
function joinPieces(pieces: readonly Piece[]): Piece[] {
  const piecesWithSpaces = pieces.flatMap((piece, index): Piece[] => {
    const isBetween = pieces[index - 1]?.kind !== 'same' && pieces[index + 1]?.kind !== 'same';
    const isSpace = piece.kind === 'same' && /^\s+$/.test(piece.text);
    if (!isSpace || !isBetween || index === 0 || index === pieces.length - 1) return [piece];
    return [
      { kind: 'removed', text: piece.text },
      { kind: 'added', text: piece.text },
    ];
  });
  const result: Piece[] = [];
  let removed = '';
  let added = '';
  const flush = () => {
    if (removed) result.push({ kind: 'removed', text: removed });
    if (added) result.push({ kind: 'added', text: added });
    removed = '';
    added = '';
  };
  for (const { kind, text } of piecesWithSpaces) {
    if (text === '') continue;
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else {
      flush();
      const last = result.at(-1);
      if (last?.kind === 'same') result[result.length - 1] = { kind, text: last.text + text };
      else result.push({ kind, text });
    }
  }
  flush();
  return result;
}
