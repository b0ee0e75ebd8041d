/** Two changes of one avatar, field by field: what I changed, what somebody else changed, and what both changed. */

import { isEqual, isObject } from '../../parts/difference.ts';
import { type Draft, type Path, valueAt, withValue } from './content.ts';

export type Choice = 'mine' | 'theirs';

export type Row = {
  path: Path;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /** Who changed it. What both changed in the same way needs no choice. */
  by: 'me' | 'them' | 'both';
};

/** The parts that are chosen as a whole: the id of a voice is valid only with its provider. */
function pathsOf(draft: Draft): Path[] {
  return Object.entries(draft).flatMap(([name, value]): Path[] => {
    const isSplit = (name === 'persona' || name === 'metadata') && isObject(value);
    return isSplit ? Object.keys(value).map((inner) => [name, inner]) : [[name]];
  });
}

/** @returns the fields that differ, those that both changed first */
export function rowsOf(base: Draft, mine: Draft, theirs: Draft): Row[] {
  const paths = new Map([base, mine, theirs].flatMap(pathsOf).map((path) => [JSON.stringify(path), path]));
  const rows = [...paths.values()].flatMap((path): Row[] => {
    const values = { base: valueAt(base, path), mine: valueAt(mine, path), theirs: valueAt(theirs, path) };
    if (isEqual(values.mine, values.theirs)) return [];
    const isMine = !isEqual(values.base, values.mine);
    const isTheirs = !isEqual(values.base, values.theirs);
    return [{ path, ...values, by: isMine && isTheirs ? 'both' : isMine ? 'me' : 'them' }];
  });
  return rows.toSorted((a, b) => Number(b.by === 'both') - Number(a.by === 'both'));
}

/** @returns the choice that loses nothing; undefined if both changed the field */
export const defaultChoice = ({ by }: Row): Choice | undefined =>
  by === 'both' ? undefined : by === 'me' ? 'mine' : 'theirs';

/** @returns their content, with my value in each field in which I keep mine */
export const mergedOf = (
  theirs: Draft,
  rows: readonly Row[],
  choiceOf: (row: Row) => Choice | undefined,
): Draft =>
  rows
    .filter((row) => choiceOf(row) === 'mine')
    .reduce((merged, { path, mine }) => withValue(merged, path, mine), theirs);
