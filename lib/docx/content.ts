/** What a part has read: blocks, tables as the file has them, and further contents in their places. */

import type { Block } from '../readers/blocks.ts';
import { maxTextBytes, NotExtractable } from '../readers/types.ts';

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
      const rows = expanded(item.rows, account);
      if (rows.length > 0) blocks.push({ type: 'table', rows });
      return;
    }
    account(textOfBlock(item).length);
    blocks.push(item);
  });
  return blocks;
}

/** A cell needs a separator in the text of the table. */
const cellCharacters = 3;

/** @returns the rows that have a text, each with all columns */
function expanded(rows: readonly Row[], account: Account): string[][] {
  let above: readonly string[] = [];
  const shown: string[][] = [];
  for (const { before, after, cells } of rows) {
    const texts: string[] = [];
    const add = (columns: number, textAt: (column: number) => string): void => {
      for (let added = 0; added < columns; added += 1) {
        const text = textAt(texts.length);
        account(text.length + cellCharacters);
        texts.push(text);
      }
    };
    add(before, () => '');
    for (const { text, columns, goesOn } of cells) {
      const left = texts.at(-1);
      add(columns, (column) => {
        if (goesOn === 'above') return above[column] ?? text;
        return goesOn === 'left' ? (left ?? text) : text;
      });
    }
    add(after, () => '');
    above = texts;
    if (texts.some((text) => text !== '')) shown.push(texts);
  }
  const columns = shown.reduce((most, texts) => Math.max(most, texts.length), 0);
  for (const texts of shown) {
    account(cellCharacters * (columns - texts.length));
    while (texts.length < columns) texts.push('');
  }
  return shown;
}

/** @returns the content as the text of a cell or a note. A nested table has each of its texts once */
export function textOf(content: Content): string {
  let text = '';
  const add = (more: string): void => {
    if (more !== '') text += text === '' ? more : ` ${more}`;
  };
  visit(content, (item) => {
    if (item.type !== 'rows') {
      add(textOfBlock(item).replaceAll('\n', ' '));
      return;
    }
    for (const { cells } of item.rows) {
      for (const cell of cells) if (!cell.goesOn) add(cell.text);
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
      return block.rows.map((cells) => cells.join(' ')).join(' ');
    case 'pageEnd':
      return '';
    default:
      return block.text;
  }
}
