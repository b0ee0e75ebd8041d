/** Reads a table of HTML that has data: its rows as a Markdown table. A table that lays out a page, or has tables and lists, is not one. */

import type { DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** What has no place in a row. */
const blocks = new Set(
  (
    'table ul ol dl menu pre listing xmp plaintext textarea blockquote h1 h2 h3 h4 h5 h6 nav iframe noembed noframes form ' +
    'article section'
  ).split(' '),
);

/** Cells that `colspan` and `rowspan` add to a table. Without a limit, a short source could make a very large table. */
const maxAddedCells = 1000;
/** A longer text is not repeated in the rows below it. */
const maxRepeated = 200;

/**
 * @param textOf the text of a cell
 * @returns the lines above the table, and the table in Markdown; undefined if it has no two rows and columns, or blocks in its cells.
 *   The work is linear in the table: a table inside of it ends the search
 */
export function markdownTable(table: Element, textOf: (cell: Element) => string): string | undefined {
  const parts = partsOf(table);
  if (!parts) return undefined;
  const { captions, rows } = parts;
  const texts = spread(
    rows.map((cells) => cells.map((cell) => ({ ...spansOf(cell), text: escaped(textOf(cell)) }))),
  );
  const columns = texts.reduce((most, cells) => Math.max(most, cells.length), 0);
  if (texts.length < 2 || columns < 2) return undefined;
  // A first row of one cell is a title.
  const isTitle = (cells: readonly string[]) => cells.filter(Boolean).length < 2;
  const first = texts.length > 2 && isTitle(texts[0] ?? []) ? 1 : 0;
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  // A shorter row needs no more cells, but the header does.
  const [head = [], ...others] = texts.slice(first);
  return [
    ...captions.map((caption) => textOf(caption).replace(/\s+/g, ' ').trim()),
    ...texts.slice(0, first).map((cells) => cells.filter(Boolean).join(' ')),
    lineOf([...head, ...Array.from({ length: columns - head.length }, () => '')]),
    `|${'---|'.repeat(columns)}`,
    ...others.filter((cells) => cells.some(Boolean)).map(lineOf),
  ].join('\n');
}

const escaped = (text: string): string => text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');

/** @returns the cells of each row, and the captions; undefined if the table has blocks */
function partsOf(table: Element): { captions: Element[]; rows: Element[][] } | undefined {
  const captions: Element[] = [];
  const rows: Element[][] = [];
  // Elements may be nested deeper than the call stack.
  const stack: Node[] = table.childNodes.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!('tagName' in node)) continue;
    if (blocks.has(node.tagName)) return undefined;
    if (node.tagName === 'caption') captions.push(node);
    if (node.tagName === 'tr') rows.push([]);
    if (node.tagName === 'td' || node.tagName === 'th') rows.at(-1)?.push(node);
    for (const child of node.childNodes.toReversed()) stack.push(child);
  }
  return { captions, rows };
}

type Cell = { text: string; colspan: number; rowspan: number };

function spansOf({ attrs }: Element): Pick<Cell, 'colspan' | 'rowspan'> {
  const span = (wanted: string) =>
    Math.max(1, Number.parseInt(attrs.find(({ name }) => name === wanted)?.value ?? '', 10) || 1);
  return { colspan: span('colspan'), rowspan: span('rowspan') };
}

/** Gives each cell its column. A cell that spans rows is repeated in them; one that spans columns has empty cells behind it. */
function spread(rows: readonly (readonly Cell[])[]): string[][] {
  let room = maxAddedCells;
  const below = new Map<number, { text: string; rows: number }>();
  return rows.map((cells) => {
    const texts: string[] = [];
    const addFromAbove = () => {
      for (
        let above = below.get(texts.length);
        above && above.rows > 0 && room > 0;
        above = below.get(texts.length)
      ) {
        above.rows -= 1;
        room -= 1;
        texts.push(above.text);
      }
    };
    for (const { text, colspan, rowspan } of cells) {
      addFromAbove();
      const added = Math.min(colspan - 1, room);
      room -= added;
      if (rowspan > 1)
        below.set(texts.length, { text: text.length > maxRepeated ? '' : text, rows: rowspan - 1 });
      else below.delete(texts.length);
      texts.push(text, ...Array.from({ length: added }, () => ''));
    }
    addFromAbove();
    return texts;
  });
}
