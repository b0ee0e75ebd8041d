/** What a part has read: blocks, tables as the file has them, and further contents in their places. */

import type { Block } from '../../readers/blocks.ts';
import { maxTextBytes, NotExtractable } from '../../readers/types.ts';

export type Content = (Block | Rows | Content)[];
type Rows = { type: 'rows'; rows: readonly Row[] };
/** Columns before and after the cells are empty. */
export type Row = { before: number; after: number; cells: Cell[] };
/** A cell that goes on covers what is left of it, or above it. */
export type Cell = { text: string; columns: number; goesOn: 'above' | 'left' | undefined };

/** Contents may be nested deeper than the call stack. */
function visit(content: Content, take: (item: Block | Rows) => void): void {
  const stack: { items: Content; next: number }[] = [{ items: content, next: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const item = top.items[top.next];
    top.next += 1;
    if (item === undefined) stack.pop();
    else if (Array.isArray(item)) stack.push({ items: item, next: 0 });
    else take(item);
  }
}

/** Counts the characters of a text before they are in memory. */
type Account = (characters: number) => void;

/** @throws NotExtractable if the texts of the blocks are too long */
export function blocksOf(content: Content): Block[] {
  let characters = 0;
  const account: Account = (more) => {
    characters += more;
    if (characters > maxTextBytes) {
      throw new NotExtractable('document_too_large', 'The text of the file is larger than 5 MB.');
    }
  };
  const blocks: Block[] = [];
  visit(content, (item) => {
    if (item.type === 'rows') {
      blocks.push(...tableOf(item.rows, account));
      return;
    }
    account(textOfBlock(item).length);
    blocks.push(item);
  });
  return blocks;
}

/** A first row of one cell is the title of the table, and not its header. */
function tableOf(rows: readonly Row[], account: Account): Block[] {
  const shown = expanded(rows, account).filter(({ texts }) => texts.some((text) => text !== ''));
  const columns = shown.reduce((most, { texts }) => Math.max(most, texts.length), 0);
  const table = shown.map(({ texts }) => {
    account(cellCharacters * (columns - texts.length));
    return [...texts, ...Array.from({ length: columns - texts.length }, () => '')];
  });
  const isTitled = table.length > 2 && columns > 1 && shown[0]?.cells === 1;
  const title = (isTitled && table.shift()?.find((text) => text !== '')) || '';
  return [
    ...(title === '' ? [] : [{ type: 'caption', text: title } as const]),
    ...(table.length === 0 ? [] : [{ type: 'table', rows: table } as const]),
  ];
}

/** A cell needs a separator in the text of the table. */
const cellCharacters = 3;

/** @returns the rows with what covers them. The repeated text is at most so many times as long as the text: more of it is left out */
function expanded(rows: readonly Row[], account: Account): { texts: string[]; cells: number }[] {
  const length = rows.reduce((sum, { cells }) => cells.reduce((all, { text }) => all + text.length, sum), 0);
  let room = 1000 + 4 * length;
  let above: readonly string[] = [];
  return rows.map(({ before, after, cells }) => {
    const texts: string[] = [];
    const add = (columns: number, textAt: (column: number) => string, isRepeated: boolean): void => {
      for (let added = 0; added < columns; added += 1) {
        const text = textAt(texts.length);
        const isCopy = isRepeated || added > 0;
        if (isCopy) room -= text.length;
        texts.push(isCopy && room < 0 ? '' : text);
        account((texts.at(-1)?.length ?? 0) + cellCharacters);
      }
    };
    add(before, () => '', false);
    for (const { text, columns, goesOn } of cells) {
      const left = texts.at(-1);
      const covering = (column: number) => (goesOn === 'above' ? above[column] : left) ?? text;
      add(columns, goesOn ? covering : () => text, goesOn !== undefined);
    }
    add(after, () => '', false);
    above = texts;
    return { texts, cells: cells.length };
  });
}

/** @returns the content as the text of a cell or a note. A nested table has each of its texts once, and `;` between its rows */
export function textOf(content: Content): string {
  let text = '';
  let separator = '';
  const add = (more: string): void => {
    if (more === '') return;
    text += separator + more;
    separator = ' ';
  };
  visit(content, (item) => {
    if (item.type !== 'rows') {
      add(textOfBlock(item).replaceAll('\n', ' '));
      return;
    }
    for (const { cells } of item.rows) {
      for (const cell of cells) if (!cell.goesOn) add(cell.text);
      if (text !== '') separator = '; ';
    }
  });
  return text;
}

function textOfBlock(block: Block): string {
  switch (block.type) {
    case 'listItem':
    case 'note':
      return `${block.marker} ${block.text}`;
    case 'field':
      return `${block.label} ${block.value}`;
    case 'table':
      return block.rows.map((cells) => cells.join(' ')).join('; ');
    case 'pageEnd':
      return '';
    default:
      return block.text;
  }
}
