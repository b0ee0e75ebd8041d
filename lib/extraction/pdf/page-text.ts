/** The text of a page: its lines, columns one after the other, and tables as Markdown. */

import { blocksOf } from './blocks.ts';
import { isRightToLeft, lineText } from './line-text.ts';
import { type Line, linesOf } from './lines.ts';
import { median } from './median.ts';
import { drawnOnce } from './overprint.ts';
import type { Frame } from './runs.ts';
import { layoutOf } from './table.ts';

/** A line that is this much further down than the height of a letter begins a paragraph. */
const paragraphGap = 1.6;
const fewestOfText = 8;
const widestPitch = 2.6;
/** Columns may have columns in them. */
const maxDepth = 4;

export function pageText(frames: readonly Frame[]): string {
  const lines: string[] = [];
  for (const { runs } of frames) {
    if (lines.length > 0) lines.push('');
    writeLines(linesOf(drawnOnce(runs)), lines, 0);
  }
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function writeLines(lines: readonly Line[], written: string[], depth: number): void {
  let above: Line | undefined;
  const usual = 1.3 * usualPitch(lines);
  const writeLine = (line: Line) => {
    if (above && line.line - above.line > Math.max(paragraphGap * line.size, usual)) written.push('');
    written.push(lineText(line.segments));
    above = line;
  };
  const blocks = blocksOf(lines, true).map((block) => ({ block, layout: layoutOf(block) }));
  const strict = blocks.flatMap(({ block, layout }) =>
    layout.type === 'columns'
      ? [{ block, layout }]
      : blocksOf(block.lines, false).map((part) => ({ block: part, layout: layoutOf(part) })),
  );
  for (const { block, layout } of strict) {
    switch (layout.type) {
      case 'lines':
        block.lines.forEach(writeLine);
        break;
      case 'columns':
        if (depth === maxDepth) {
          block.lines.forEach(writeLine);
          break;
        }
        written.push('');
        for (const column of inReadingOrder(layout.columns, block.lines))
          writeLines(column, written, depth + 1);
        written.push('');
        above = undefined;
        break;
      case 'table':
        layout.before.forEach(writeLine);
        written.push('');
        for (const row of markdownTable(layout.rows.map((row) => inReadingOrder(row, block.lines))))
          written.push(row);
        written.push('');
        above = undefined;
        layout.behind.forEach(writeLine);
        break;
    }
  }
}

/** @param columns from left to right */
function inReadingOrder<T>(columns: readonly T[], lines: readonly Line[]): readonly T[] {
  const fromRight = lines.filter(({ segments }) => isRightToLeft(segments)).length;
  return fromRight * 2 > lines.length ? columns.toReversed() : columns;
}

/** The lines of a text may have double the room between them. @returns 0 if they have more, or are few */
function usualPitch(lines: readonly Line[]): number {
  const pitches = lines.slice(1).map(({ line, size }, at) => (line - (lines[at]?.line ?? 0)) / size);
  const middle = median(pitches);
  return pitches.length < fewestOfText || middle > widestPitch ? 0 : middle * (lines[0]?.size ?? 0);
}

function markdownTable(rows: readonly (readonly string[])[]): string[] {
  const [head = [], ...others] = rows.map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return [`${head}`, `|${'---|'.repeat(rows[0]?.length ?? 0)}`, ...others];
}
