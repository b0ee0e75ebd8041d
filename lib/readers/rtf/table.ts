/** The rows of a table of RTF, whose cells have right edges in place of columns. */

import { type Cell, tableRows } from '../table-rows.ts';

/** How the next row of a table is divided. */
export type CellShape = { right: number; isMergedWithLeft: boolean; isMergedWithAbove: boolean };
export type RtfRow = { texts: string[]; shapes: readonly CellShape[] };

/** Programs round edges. */
const tolerance = 40;

/** @returns rows with all their columns. The value of a merged cell is repeated */
export function rowsOf(rows: readonly RtfRow[]): string[][] {
  const edges = edgesOf(rows);
  /** The cells that may go on in the next row, by their first column. */
  const above = new Map<number, Required<Cell>>();
  const cells = rows.map(({ texts, shapes }) => {
    const row: Required<Cell>[] = [];
    let column = 0;
    for (const [at, text] of texts.entries()) {
      const shape = shapes[at];
      const end = shape ? Math.max(columnOf(edges, shape.right), column + 1) : column + 1;
      const left = row.at(-1);
      const upper = above.get(column);
      const colspan = end - column;
      if (shape?.isMergedWithLeft && left && text === '') left.colspan += colspan;
      else if (shape?.isMergedWithAbove && upper && text === '') upper.rowspan += 1;
      else {
        const cell = { text, colspan, rowspan: 1 };
        above.set(column, cell);
        row.push(cell);
      }
      column = end;
    }
    return row;
  });
  return tableRows(cells).filter((row) => row.some(Boolean));
}

function edgesOf(rows: readonly RtfRow[]): number[] {
  // Rows may share their shapes.
  const shapes = [...new Set(rows.map((row) => row.shapes))].flat();
  const all = shapes.map(({ right }) => right).sort((a, b) => a - b);
  const edges: number[] = [];
  for (const edge of all) if (edge - (edges.at(-1) ?? Number.NEGATIVE_INFINITY) > tolerance) edges.push(edge);
  return edges;
}

/** @returns the number of columns up to the edge, by bisection */
function columnOf(edges: readonly number[], right: number): number {
  let [from, to] = [0, edges.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((edges[middle] ?? 0) + tolerance >= right) to = middle;
    else from = middle + 1;
  }
  return from + 1;
}
