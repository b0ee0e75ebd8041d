/**
 * A notice tells a worker that an item has changed, or that it is due. This is all that a queue or a dead letter holds: keys,
 * stamps and numbers, never the text of an item. The worker reads the current item. Only the notices of the audit log have the
 * changed fields, and only fields that the log may have.
 */

import type { Tenant } from '../base/caller.ts';
import type { Partition } from '../dynamodb/store.ts';
import type { TableName } from '../dynamodb/tables.ts';

export type Notice = {
  table: TableName;
  /** The kind of change in the stream, or `DUE` if the scheduler sends the notice. The item may have changed since. */
  kind: 'INSERT' | 'MODIFY' | 'REMOVE' | 'DUE';
  tenant: Tenant;
  /** The item's partition below the tenant, such as `['proj_…', 'erased']`. */
  partition: Partition;
  id: string;
  /** When the change took effect: epoch milliseconds, rounded down to the second. */
  atMs: number;
  /** The stamps of the change. A removal has no stamps: its stream record has the stamps of the previous writer. */
  changedBy?: string;
  changedIn?: string;
  /** The result of the worker's `detail` for the change. */
  detail?: unknown;
  /** How often in a row the worker has asked for the notice again after a pause. */
  pauses?: number;
  /** How many turns in a row have stored nothing. */
  idleTurns?: number;
  /** The id of the item in which it has waited for a place of its organisation: places.ts. */
  waits?: string | undefined;
  /** The stream's sequence number, which rises with the changes of an item. Empty if there is no stream record. */
  sequence: string;
};

export type Notices = readonly [Notice, ...Notice[]];

/** A notice that has failed this many times becomes a dead letter: after three hours, with the pauses in handler.ts. */
export const maxReceives = 20;

/** Escapes all but ASCII, because SQS refuses some characters ("SendMessage", Amazon SQS API Reference). */
export const writeNotice = (notice: Notice): string =>
  JSON.stringify(notice).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const texts = ['table', 'kind', 'tenant', 'id', 'sequence'] as const;

/** @throws Error if the text is not a notice */
export function readNotice(body: string): Notice {
  const notice = JSON.parse(body) as Partial<Notice> | null;
  const isNotice =
    texts.every((name) => typeof notice?.[name] === 'string') &&
    typeof notice?.atMs === 'number' &&
    Array.isArray(notice.partition);
  if (!isNotice) throw new Error('the message is not a notice');
  return notice as Notice;
}

/** @returns the organisation, with all of its modes */
export const organisationOf = ({ tenant }: Pick<Notice, 'tenant'>): string => tenant.split('#', 1).join();

/** @returns the project that the item belongs to; undefined if it belongs to no project */
export const projectOf = ({ partition, id }: Notice): string | undefined =>
  [...partition, id].find((part) => part.startsWith('proj_'));

/** The item of a notice, or its change if it has a detail. A due item and a changed item are different events. */
export const itemKey = ({ table, kind, tenant, partition, id, detail, changedIn }: Notice): string =>
  JSON.stringify([table, kind === 'DUE', tenant, partition, id, detail !== undefined && changedIn]);

/** Sequence numbers are decimal and have up to 40 digits. */
const isNewer = (one: Notice, other: Notice): boolean =>
  (one.atMs - other.atMs ||
    one.sequence.length - other.sequence.length ||
    (one.sequence < other.sequence ? -1 : 1)) >= 0;

/**
 * @returns the newest of the notices of one item. An item that is new in any notice is new in the result, and a place that is kept
 *   for any of them is kept for the result
 */
export const newest = ([first, ...rest]: Notices): Notice =>
  rest.reduce((one, other) => {
    const [last, earlier] = isNewer(other, one) ? [other, one] : [one, other];
    const kind = last.kind === 'MODIFY' && earlier.kind === 'INSERT' ? 'INSERT' : last.kind;
    return { ...last, kind, waits: last.waits ?? earlier.waits };
  }, first);

/** @returns the newest notice of each item */
export const latestPerItem = (notices: readonly Notice[]): Notice[] =>
  [...Map.groupBy(notices, itemKey).values()].map((own) => newest(own as [Notice, ...Notice[]]));
