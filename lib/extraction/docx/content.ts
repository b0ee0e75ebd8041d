/** The content of a part of a document: blocks, the rows of tables with their cells as in the file, and further contents in their places. */

import type { Block } from '../../readers/blocks.ts';
import { type Cell, tableBlocks } from '../../readers/table-rows.ts';
import { maxTextBytes, NotExtractable } from '../../readers/types.ts';

export type Content = (Block | Rows | Content)[];
type Rows = { type: 'rows'; rows: readonly (readonly Cell[])[] };

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

/** @throws NotExtractable if the texts of the blocks are too long */
export function blocksOf(content: Content): Block[] {
  let characters = 0;
  const blocks: Block[] = [];
  visit(content, (item) => {
    for (const block of item.type === 'rows' ? tableBlocks(item.rows) : [item]) {
      characters += textOfBlock(block).length;
      if (characters > maxTextBytes)
        throw new NotExtractable('document_too_large', 'The text of the file is larger than 5 MB.');
      blocks.push(block);
    }
  });
  return blocks;
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
    for (const cells of item.rows) {
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
