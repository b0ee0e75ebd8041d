/** The rows of a table whose cells may cover several columns and rows. The value of a cell is repeated in every cell that it covers. */

export type Cell = { text: string; colspan?: number; rowspan?: number };

type Run = { text: string; columns: number; isRepeated: boolean };

/** @returns rows with all their columns. A table whose cells cover very many others repeats less: the result is linear in the table */
export function tableRows(rows: readonly (readonly Cell[])[]): string[][] {
  const cells = rows.reduce((sum, { length }) => sum + length, 0);
  const length = rows.flat().reduce((sum, { text }) => sum + text.length, 0);
  const room = { runs: 100 + 4 * cells, cells: 100 + 4 * cells, characters: 1000 + 2 * length };
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

/** Gives each cell its columns ("Forming a table", HTML Standard 4.9.12.1). No column is only covered. */
function placed(
  rows: readonly (readonly Cell[])[],
  room: { runs: number },
): { runs: Run[][]; columns: number } {
  const below = new Map<number, { run: Run; rows: number }>();
  let columns = 0;
  const runs = rows.map((cells) => {
    const row: Run[] = [];
    let column = 0;
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
    for (const { text, colspan = 1, rowspan = 1 } of cells) {
      addFromAbove();
      columns = Math.max(columns, column + 1);
      row.push({ text, columns: colspan, isRepeated: false });
      if (rowspan > 1)
        below.set(column, { run: { text, columns: colspan, isRepeated: true }, rows: rowspan - 1 });
      else below.delete(column);
      column += colspan;
    }
    addFromAbove();
    return row;
  });
  return { runs, columns };
}
