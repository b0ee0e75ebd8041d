/** Says which tables of HTML have data, and which lay out a page or a mail. */

import { headingLevel, isCell, isCode, isOmitted, isShown } from './elements.ts';
import { type Element, isElement, isText, type Node, walk } from './parse.ts';
import { replacementOf } from './replacements.ts';

/** A longer cell is a part of a page. In a table of one row, data has short cells. */
const maxCellLength = 4000;
const maxCellLengthOfOneRow = 200;

type Table = {
  element: Element;
  rows: number;
  column: number;
  /** The columns that have text. */
  filled: Set<number>;
  isLayout: boolean;
  isLong: boolean;
  length: number;
  titleLength: number;
  /** The open cell. */
  cell: { length: number; titleLength: number } | undefined;
};

/**
 * A table has data if two of its columns have text, and no cell has a section: a heading with text, or a very long text. The tables in
 * its cells count as text.
 * @returns the tables that have data. The work is linear in the nodes
 */
export function dataTables(nodes: readonly Node[]): ReadonlySet<Node> {
  const found = new Set<Node>();
  const tables: Table[] = [];
  let title: Node | undefined;

  const count = (
    cell: { length: number; titleLength: number } | undefined,
    length: number,
    isTitle: boolean,
  ) => {
    if (!cell) return;
    cell.length += length;
    if (isTitle) cell.titleLength += length;
  };
  walk(
    nodes,
    (node) => {
      const table = tables.at(-1);
      if (isText(node)) count(table?.cell, node.value.trim().length, title !== undefined);
      if (!isElement(node) || !isShown(node) || isOmitted(node.tagName)) return undefined;
      const { tagName } = node;
      if (tagName === 'table') tables.push(opened(node));
      else if (!table) return node.childNodes;
      else if (tagName === 'tr') {
        table.rows += 1;
        table.column = -1;
      } else if (isCell(tagName)) {
        table.column += 1;
        table.cell = { length: 0, titleLength: 0 };
      } else if (headingLevel(tagName) > 0) title ??= node;
      else if (isCode(tagName)) table.isLong = true;
      else if (tagName === 'input') count(table.cell, replacementOf(node).length, false);
      return node.childNodes;
    },
    (node) => {
      const table = tables.at(-1);
      if (node === title) title = undefined;
      if (!table) return;
      if (isCell(node.nodeName)) closeCell(table);
      if (node !== table.element) return;
      tables.pop();
      if (isData(table)) found.add(node);
      const outer = tables.at(-1)?.cell;
      count(outer, table.length - table.titleLength, false);
      count(outer, table.titleLength, true);
    },
  );
  return found;
}

const opened = (element: Element): Table => ({
  element,
  rows: 0,
  column: -1,
  filled: new Set(),
  isLayout: false,
  isLong: false,
  length: 0,
  titleLength: 0,
  cell: undefined,
});

function closeCell(table: Table): void {
  const { cell, column } = table;
  table.cell = undefined;
  if (!cell) return;
  if (cell.length > 0) table.filled.add(column);
  table.length += cell.length;
  table.titleLength += cell.titleLength;
  if (cell.length > maxCellLengthOfOneRow) table.isLong = true;
  const hasSection = cell.titleLength > 0 && cell.length > cell.titleLength;
  if (hasSection || cell.length > maxCellLength) table.isLayout = true;
}

const isData = ({ rows, filled, isLayout, isLong }: Table): boolean =>
  filled.size > 1 && !isLayout && !(rows === 1 && isLong);
