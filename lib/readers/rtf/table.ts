/** The rows of a table of RTF, whose cells have right edges in place of columns. */

import { firstIndex } from '../bisect.ts';
import type { Cell } from '../table-rows.ts';

/** How the next row of a table is divided. */
export type CellShape = { right: number; isMergedWithLeft: boolean; isMergedWithAbove: boolean };
export type RtfRow = { texts: string[]; shapes: readonly CellShape[] };

/** Programs round edges. */
const tolerance = 40;

/** @returns the cells of the rows. A cell that another one covers has no text */
export function cellsOf(rows: readonly RtfRow[]): Cell[][] {
  const edges = edgesOf(rows);
  return rows.map(({ texts, shapes }) => {
    let column = 0;
    return texts.map((text, at) => {
      const shape = shapes[at];
      const end = shape ? Math.max(columnOf(edges, shape.right), column + 1) : column + 1;
      const colspan = end - column;
      column = end;
      if (text !== '' || !shape) return { text, colspan };
      const goesOn = shape.isMergedWithLeft ? 'left' : shape.isMergedWithAbove ? 'above' : undefined;
      return { text, colspan, goesOn };
    });
  });
}

function edgesOf(rows: readonly RtfRow[]): number[] {
  // Rows may share their shapes.
  const shapes = [...new Set(rows.map((row) => row.shapes))].flat();
  const all = shapes.map(({ right }) => right).sort((a, b) => a - b);
  const edges: number[] = [];
  for (const edge of all) if (edge - (edges.at(-1) ?? Number.NEGATIVE_INFINITY) > tolerance) edges.push(edge);
  return edges;
}

/** @returns the number of columns up to the edge */
const columnOf = (edges: readonly number[], right: number): number =>
  firstIndex(edges, (edge) => edge + tolerance >= right) + 1;
