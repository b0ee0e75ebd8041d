/** Tables whose cells may cover several columns and rows. The value of a cell is repeated in every cell that it covers. */

import type { Block } from './blocks.ts';

export type Cell = {
  text: string;
  colspan?: number;
  rowspan?: number;
  /** The cell is covered by the cell above it or left of it. Its text is not shown. */
  goesOn?: 'above' | 'left' | undefined;
};

/** @returns the table without its empty rows. A first row of one cell above others is its title, and not its header */
export function tableBlocks(rows: readonly (readonly Cell[])[]): Block[] {
  const shown = tableRows(rows)
    .map((texts, at) => ({ texts, cells: rows[at]?.length ?? 0 }))
    .filter(({ texts, cells }) => cells > 0 && texts.some(Boolean));
  const [first, ...others] = shown;
  const title =
    others.length > 1 && first?.cells === 1 && first.texts.length > 1 ? first.texts[0] : undefined;
  const table = (title === undefined ? shown : others).map(({ texts }) => texts);
  return [
    ...(title === undefined ? [] : [{ type: 'caption', text: title } as const]),
    ...(table.length === 0 ? [] : [{ type: 'table', rows: table } as const]),
  ];
}

/** The columns of a cell begin at `start`. */
type Run = { text: string; start: number; columns: number; isRepeated: boolean };

/** @returns rows with all their columns. A table whose cells cover very many others repeats less: the result is linear in the table */
export function tableRows(rows: readonly (readonly Cell[])[]): string[][] {
  const cells = rows.reduce((sum, { length }) => sum + length, 0);
  const length = rows.reduce((sum, row) => row.reduce((all, { text }) => all + text.length, sum), 0);
  const room = { runs: 100 + 4 * cells, cells: 100 + 4 * cells, characters: 1000 + 4 * length };
  const { runs, columns } = placed(rows, room);
  return runs.map((row) => {
    const texts: string[] = [];
    const repeat = (text: string, times: number) => {
      for (let left = Math.min(times, room.cells, columns - texts.length); left > 0; left -= 1) {
        room.cells -= 1;
        room.characters -= text.length;
        texts.push(room.characters < 0 ? '' : text);
      }
    };
    for (const { text, columns: width, isRepeated } of row) {
      if (!isRepeated) texts.push(text);
      repeat(text, isRepeated ? width : width - 1);
    }
    repeat('', columns);
    return texts;
  });
}

/** Gives each cell its columns ("Forming a table", HTML Standard 4.9.12.1). In each column, a cell begins. */
function placed(
  rows: readonly (readonly Cell[])[],
  room: { runs: number },
): { runs: Run[][]; columns: number } {
  const below = new Map<number, { run: Run; rows: number }>();
  let columns = 0;
  let upper: Run[] = [];
  const runs = rows.map((cells) => {
    const row: Run[] = [];
    let column = 0;
    let next = 0;
    const addFromAbove = () => {
      for (
        let above = below.get(column);
        above && above.rows > 0 && room.runs > 0;
        above = below.get(column)
      ) {
        above.rows -= 1;
        room.runs -= 1;
        row.push(above.run);
        column += above.run.columns;
      }
    };
    /** @returns the run that covers the column in the row above. It is called for the columns in their order */
    const above = (): Run | undefined => {
      for (let run = upper[next]; run && run.start + run.columns <= column; run = upper[next]) next += 1;
      const run = upper[next];
      return run && run.start <= column ? run : undefined;
    };
    for (const { text, colspan = 1, rowspan = 1, goesOn } of cells) {
      addFromAbove();
      columns = Math.max(columns, column + 1);
      const covering = goesOn && (goesOn === 'above' ? above() : row.at(-1));
      const run = { text, start: column, columns: colspan, isRepeated: false };
      row.push(covering ? { ...run, text: covering.text, isRepeated: true } : run);
      if (rowspan > 1) below.set(column, { run: { ...run, isRepeated: true }, rows: rowspan - 1 });
      else below.delete(column);
      column += colspan;
    }
    addFromAbove();
    upper = row;
    return row;
  });
  return { runs, columns };
}
