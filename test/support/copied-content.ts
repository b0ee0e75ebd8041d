/** What a copy of a conversation has in common with it. */

import type { Json } from '../../samples/api.ts';

const ownFields = ['id', 'createdAt', 'updatedAt', 'createdBy', 'lastActivityAt'];

const strip = (from: Json): Json =>
  Object.fromEntries(
    Object.entries(from)
      .filter(([name]) => !ownFields.includes(name))
      .map(([name, value]) => [name, name === 'messages' ? (value as Json[]).map(strip) : value]),
  );

/** @returns the lines of an export as texts without ids and storage times, in an order that copies share */
export const copiedContent = (lines: readonly Json[]): string[] =>
  lines.map((line) => JSON.stringify(strip(line))).sort();
