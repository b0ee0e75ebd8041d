/** Tables of Word (ECMA-376 part 1, 17.4). Cells that cover several columns or rows repeat their text in each of them. */

import type { Cell } from '../../readers/table-rows.ts';
import { type Content, textOf } from './content.ts';
import type { Places } from './places.ts';
import { type AttributeReader, isOn, wholeNumber } from './xml.ts';

type OpenCell = { columns: number; goesOn?: 'above' | 'left'; isDeleted: boolean };
type OpenRow = { before: number; cells: Cell[]; isHidden: boolean };
type Table = {
  rows: Cell[][];
  row?: OpenRow | undefined;
  cell?: OpenCell | undefined;
  /** A table of one cell is a frame around its content. */
  frame?: { cell: Cell; content: Content } | undefined;
};

export function openTables(places: Places) {
  const tables: Table[] = [];

  /** The text of a nested content is made once, and not in each table around it. */
  const endFrame = (table: Table): void => {
    if (table.frame) table.frame.cell.text = textOf(table.frame.content);
    table.frame = undefined;
  };
  const endCell = (table: Table): void => {
    const content = places.leave();
    const { row, cell } = table;
    table.cell = undefined;
    if (!row || !cell || cell.isDeleted) return;
    endFrame(table);
    const isFirst = table.rows.length === 0 && row.cells.length === 0;
    const { columns, goesOn } = cell;
    const ended: Cell = { text: isFirst ? '' : textOf(content), colspan: columns, goesOn };
    if (isFirst) table.frame = { cell: ended, content };
    row.cells.push(ended);
  };
  const endRow = (table: Table): void => {
    const { row } = table;
    table.row = undefined;
    if (!row || row.isHidden || row.cells.length === 0) return;
    // Columns before the cells are empty, as are those after them.
    table.rows.push(row.before > 0 ? [{ text: '', colspan: row.before }, ...row.cells] : row.cells);
  };
  const endTable = (table: Table): void => {
    tables.pop();
    const { rows, frame } = table;
    if (frame && rows.length === 1) {
      places.add(frame.content);
      return;
    }
    endFrame(table);
    places.add([{ type: 'rows', rows }]);
  };

  return {
    open(name: string, parent: string, attribute: AttributeReader): void {
      if (name === 'w:tbl') tables.push({ rows: [] });
      const table = tables.at(-1);
      if (!table) return;
      if (name === 'w:tr') table.row = { before: 0, cells: [], isHidden: false };
      if (name === 'w:tc') {
        table.cell = { columns: 1, isDeleted: false };
        places.enter();
      }
      if (parent === 'w:trPr' && table.row) openRowProperty(table.row, name, attribute);
      if (parent === 'w:tcPr' && table.cell) openCellProperty(table.cell, name, attribute);
    },
    close(name: string): void {
      const table = tables.at(-1);
      if (!table) return;
      if (name === 'w:tc') endCell(table);
      if (name === 'w:tr') endRow(table);
      if (name === 'w:tbl') endTable(table);
    },
  };
}

function openRowProperty(row: OpenRow, name: string, attribute: AttributeReader): void {
  const value = attribute('w:val');
  if (name === 'w:gridBefore') row.before = wholeNumber(value) ?? 0;
  if (name === 'w:del' || (name === 'w:hidden' && isOn(value))) row.isHidden = true;
}

function openCellProperty(cell: OpenCell, name: string, attribute: AttributeReader): void {
  const value = attribute('w:val');
  if (name === 'w:gridSpan') cell.columns = Math.max(wholeNumber(value) ?? 1, 1);
  if (name === 'w:vMerge' && value !== 'restart') cell.goesOn = 'above';
  if (name === 'w:hMerge' && value !== 'restart') cell.goesOn = 'left';
  if (name === 'w:cellDel') cell.isDeleted = true;
}
