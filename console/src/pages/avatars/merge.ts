/** Two changes of one avatar, field by field: the fields of the user (`mine`), of somebody else (`theirs`), and of both. */

import { isEqual, isObject } from '../../shared/difference.ts';
import { type Draft, type Path, valueAt, withValue } from './content.ts';

export type Choice = 'mine' | 'theirs';

export type Row = {
  path: Path;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /** The person who changed the field. A field that both changed in the same way needs no choice. */
  by: 'me' | 'them' | 'both';
};

/** @returns the fields that are chosen as a whole: the id of a voice is valid only with its provider */
function pathsOf(draft: Draft): Path[] {
  return Object.entries(draft).flatMap(([name, value]): Path[] => {
    const isSplit = (name === 'persona' || name === 'metadata') && isObject(value);
    return isSplit ? Object.keys(value).map((inner) => [name, inner]) : [[name]];
  });
}

/** @returns the fields that differ; the fields that both changed are first */
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

/** @returns the content of somebody else, with the value of the user in each field in which the user keeps it */
export const mergedOf = (
  theirs: Draft,
  rows: readonly Row[],
  choiceOf: (row: Row) => Choice | undefined,
): Draft =>
  rows
    .filter((row) => choiceOf(row) === 'mine')
    .reduce((merged, { path, mine }) => withValue(merged, path, mine), theirs);
