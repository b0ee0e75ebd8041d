/** Cuts a table into pieces, each with the heading and the header row. A row is cut only if it alone is longer than a piece. */

import { cutTo } from '../../readers/sections.ts';
import type { Table } from '../../readers/tables.ts';

/** A part of a text. So many characters at its start repeat what is before it in the text. */
export type Piece = { text: string; repeated: number };

/**
 * @param before the piece in which the table begins, with the text before it
 * @param heading the line of the heading; empty without one
 * @param target the length of a piece
 * @returns the pieces. Without what they repeat, they are the table
 */
export function rowPieces(table: Table, before: Piece, heading: string, target: number): Piece[] {
  const pieces: Piece[] = [];
  let current = before;
  const end = () => {
    if (current.text !== '') pieces.push(current);
    current = { text: '', repeated: 0 };
  };
  const [head = ''] = table.header.split('\n', 1);
  const isLong = table.header.length > target;
  const names = isLong ? shortNames(table.split(head), target) : table.split(head);
  const header = isLong ? `${table.join(names)}\n` : table.header.replaceAll('\f', '');
  const prefix = heading + header;
  /** A long prefix leaves room for some rows. */
  const limit = Math.max(target, prefix.length + target / 2);
  let hasHeader = isLong;
  if (isLong) {
    end();
    pieces.push(...partsOfRow(table, [], head, heading, target));
  }
  for (const row of table.rows) {
    if (row.length > target) {
      end();
      pieces.push(...partsOfRow(table, names, row, heading, target));
      continue;
    }
    const above = hasHeader ? '' : header;
    if (current.text !== '' && current.text.length + above.length + row.length > limit) end();
    current =
      current.text === ''
        ? { text: prefix + row, repeated: hasHeader ? prefix.length : heading.length }
        : { ...current, text: current.text + above + row };
    hasHeader = true;
  }
  end();
  return pieces;
}

/** @returns the start of each name, together about as long as a piece at most; none for very many */
const shortNames = (names: readonly string[], target: number): string[] => {
  const length = Math.floor(target / names.length) - 3;
  return length < 1 ? [] : names.map((name) => cutTo(name, length));
};

/** @returns the parts of a long row, each below the names of its columns */
function partsOfRow(
  { split, join }: Table,
  names: readonly string[],
  row: string,
  heading: string,
  target: number,
): Piece[] {
  const parts: Piece[] = [];
  let [above, cells, length] = [[] as string[], [] as string[], 0];
  const end = () => {
    if (cells.length === 0) return;
    const prefix = heading + (above.some(Boolean) ? `${join(above)}\n` : '');
    parts.push({ text: `${prefix}${join(cells)}\n`, repeated: prefix.length });
    [above, cells, length] = [[], [], 0];
  };
  for (const [at, cell] of split(row).entries()) {
    const name = names[at] ?? '';
    let rest = cell;
    do {
      const text = cutTo(rest, target);
      // A separator is counted, too.
      const added = name.length + text.length + 6;
      if (length + added > target) end();
      above.push(name);
      cells.push(text);
      length += added;
      rest = rest.slice(text.length);
    } while (rest !== '');
  }
  end();
  return parts;
}
