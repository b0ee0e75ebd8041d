/**
 * Cursors mark the position in a list. A cursor contains the position and a digest of its list (tenant, endpoint and
 * filters), so it does not work for another tenant or query. A forged digest only moves to another position in the
 * caller's own list.
 */

import { hash } from 'node:crypto';
import { invalidField } from '../base/errors.ts';
import { ulidPattern } from '../base/ids.ts';
import type { Validated } from './call.ts';
import type { Cursors, Endpoint } from './types.ts';

const digest = (position: string, list: readonly unknown[]) =>
  hash('sha256', JSON.stringify([position, ...list]), 'base64url').slice(0, 16);

const anyId = new RegExp(`^[a-z]+_${ulidPattern}$`);

/** @param position the id of the last item returned */
export const encodeCursor = (position: string, list: readonly unknown[]): string =>
  Buffer.from(`${digest(position, list)}${position}`).toString('base64url');

/**
 * @param pattern the form of the list's positions, if they are not ids with a ULID
 * @returns the position, or undefined if the cursor belongs to another list
 */
export function decodeCursor(
  cursor: string,
  list: readonly unknown[],
  pattern: RegExp = anyId,
): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const position = text.slice(16);
  if (text.slice(0, 16) !== digest(position, list) || !pattern.test(position)) return undefined;
  // A value has several encodings in base64. Only the encoding of the service is accepted.
  return encodeCursor(position, list) === cursor ? position : undefined;
}

/** A cursor is bound to tenant, endpoint, parent and filters. Only the page size may change. */
export function bindCursors(
  endpoint: Endpoint,
  { sender, params, query }: Pick<Validated, 'sender' | 'params' | 'query'>,
): Cursors {
  const list = () => {
    const { cursor: _, limit: __, ...filters } = query as Record<string, unknown>;
    return [sender.tenant, endpoint.id, params, Object.entries(filters).sort()];
  };
  return {
    position(cursor, pattern) {
      if (cursor === undefined) return undefined;
      const position = decodeCursor(cursor, list(), pattern);
      if (position !== undefined) return position;
      throw invalidField('cursor', 'must be the nextCursor of this list, with the same filters');
    },
    next: (position) => (position === null ? null : encodeCursor(position, list())),
  };
}
