/**
 * Cuts the lines of a file into pieces that fit into a transaction, and puts small pieces together into one transaction. Pure.
 */

import { maxImportItems } from './conversations/import.ts';
import type { FileLine } from './lines.ts';
import { type Line, LineProblem, readLine } from './read-line.ts';

/** A message and the pointer from its `clientMessageId`. */
const itemsOfMessage = 2;
/** With so many messages, a conversation with 20 tags has 86 items. */
const messagesAtOnce = 30;
/** A transaction has at most 4 MB. A piece of one line has at most 2.8 MB. */
const maxBytes = 1024 * 1024;

/** Some messages of a line; a line without messages is one piece. */
export type Piece = {
  number: number;
  /** 0, 1, 2, … within the line. */
  part: number;
  isLast: boolean;
  /** Where a run that has done the piece continues to read: at the same line, or at the next one. */
  offset: number;
  line: Line | LineProblem;
  /** The messages of the piece: from the first index of the line to the second index, exclusive. */
  from: number;
  to: number;
};

export function piecesOf({ number, bytes, offset, next }: FileLine, maxLineBytes: number): Piece[] {
  const line = readOrProblem(bytes, maxLineBytes);
  const count = line instanceof LineProblem ? 0 : line.messages.length;
  const parts = Math.max(1, Math.ceil(count / messagesAtOnce));
  return Array.from({ length: parts }, (_, part) => ({
    number,
    part,
    isLast: part === parts - 1,
    offset: part === parts - 1 ? next : offset,
    line,
    from: part * messagesAtOnce,
    to: Math.min(count, (part + 1) * messagesAtOnce),
  }));
}

function readOrProblem(bytes: Uint8Array | undefined, maxLineBytes: number): Line | LineProblem {
  try {
    return readLine(bytes, maxLineBytes);
  } catch (error) {
    if (error instanceof LineProblem) return error;
    throw error;
  }
}

/** Identifies the conversation of a piece. Two pieces of one conversation cannot be in one transaction. */
const namesOf = ({ line }: Piece): string[] => {
  if (line instanceof LineProblem) return [];
  const { sourceId, externalId } = line;
  return [...(sourceId === undefined ? [] : [sourceId]), ...(externalId === null ? [] : [`#${externalId}`])];
};

function itemsIn({ line, part, from, to }: Piece): number {
  const messageItems = (to - from) * itemsOfMessage;
  if (line instanceof LineProblem || part > 0 || !line.fields) return messageItems + 1;
  const { tags = [], avatarId, externalUserId, channel, deploymentId } = line.fields;
  const indexedValues = [avatarId, externalUserId, channel, deploymentId].filter((value) => value != null);
  // The conversation, and the pointer from its externalId or a check.
  return messageItems + 2 + tags.length + indexedValues.length;
}

const bytesIn = ({ line, from, to }: Piece): number =>
  line instanceof LineProblem ? 0 : Buffer.byteLength(JSON.stringify(line.messages.slice(from, to)));

/** @returns the pieces in groups, in order. Each group fits into a transaction, and has each conversation once */
export async function* groupsOf(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece[]> {
  let group: Piece[] = [];
  let [items, bytes] = [0, 0];
  const names = new Set<string>();
  for await (const piece of pieces) {
    const size = { names: namesOf(piece), items: itemsIn(piece), bytes: bytesIn(piece) };
    const isFull =
      items + size.items > maxImportItems ||
      bytes + size.bytes > maxBytes ||
      size.names.some((name) => names.has(name));
    // The further pieces of a line need the id of its conversation.
    const isContinued = group.at(-1)?.isLast === false;
    if (group.length > 0 && (isFull || isContinued)) {
      yield group;
      group = [];
      [items, bytes] = [0, 0];
      names.clear();
    }
    group.push(piece);
    items += size.items;
    bytes += size.bytes;
    for (const name of size.names) names.add(name);
  }
  if (group.length > 0) yield group;
}
