/** Writes the blocks of a document as Markdown. The work is linear in the text, and so is the result. */

import type { Block, BlockSink } from './blocks.ts';
import { pageEnd } from './sections.ts';

/** Deeper lists are indented no further: their indentation would be longer than their text. */
const maxIndentedDepth = 12;
const maxIndent = 48;

const bullets = new Set([...'•◦▪▫●○■□‣⁃∙·–—-*+']);

/** @returns a writer that takes the blocks in their order */
export function markdownWriter(): { write: BlockSink; text(): string } {
  const parts: string[] = [];
  let last: Block | undefined;
  /** Whether the outermost list has bullets. */
  let isBulleted: boolean | undefined;
  /** Where the text of an item begins, by depth. The items below it are indented so far. */
  const starts: number[] = [];

  const itemText = ({ marker, depth, text }: Extract<Block, { type: 'listItem' }>): string => {
    const level = Math.min(depth, maxIndentedDepth);
    // A document may begin with an inner item.
    while (starts.length < level) starts.push((starts.at(-1) ?? 0) + 2);
    const indent = starts[level - 1] ?? 0;
    const mark = bullets.has(marker) ? '* ' : `${marker} `;
    // Without a marker, the text continues the item above.
    const start = marker === '' ? (starts[level] ?? indent) : Math.min(indent + mark.length, maxIndent);
    starts.length = level;
    starts.push(start);
    const lines = escapedLines(text).join(`\n${' '.repeat(start)}`);
    return (marker === '' ? ' '.repeat(start) + lines : ' '.repeat(indent) + mark + lines).trimEnd();
  };

  const textOf = (block: Block): string => {
    switch (block.type) {
      case 'heading':
        return headingText(block);
      case 'paragraph':
      case 'caption':
        return escapedLines(block.text).join('\n');
      case 'listItem':
        return itemText(block);
      case 'table':
        return tableText(block.rows);
      case 'code':
        return fenced(block.text);
      case 'note':
        return `${block.marker}: ${lineOf(block.text)}`;
      case 'field':
        return fieldText(block);
      case 'pageEnd':
        return pageEnd;
    }
  };

  return {
    write(block) {
      if (block.type !== 'listItem') starts.length = 0;
      const text = textOf(block);
      if (text === '') return;
      const wasBulleted = isBulleted;
      if (block.type !== 'listItem') isBulleted = undefined;
      else if (block.depth === 0 && block.marker !== '') isBulleted = bullets.has(block.marker);
      const isOtherList = block.type === 'listItem' && (wasBulleted ?? isBulleted) !== isBulleted;
      if (last) parts.push(isOtherList ? '\n\n' : between(last, block));
      parts.push(text);
      last = block;
    },
    text: () => parts.join(''),
  };
}

export function markdownOf(blocks: Iterable<Block>): string {
  const writer = markdownWriter();
  for (const block of blocks) writer.write(block);
  return writer.text();
}

/** Items, fields and notes stand below each other. */
function between(above: Block, below: Block): string {
  if (above.type === 'pageEnd' || below.type === 'pageEnd') return '\n';
  if (above.type !== below.type) return '\n\n';
  if (below.type === 'listItem') return below.marker === '' ? '\n\n' : '\n';
  return below.type === 'field' || below.type === 'note' ? '\n' : '\n\n';
}

/** A form feed would end the page. */
const lineOf = (text: string): string => text.replace(/\s+/g, ' ').trim();

function headingText({ level, text }: { level: number; text: string }): string {
  // A `#` at the end would close the heading.
  const title = lineOf(text).replace(/(?<=^|\s)#+$/, '\\$&');
  return title === '' ? '' : `${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${title}`;
}

function fieldText({ label, value }: { label: string; value: string }): string {
  const name = lineOf(label).replace(/\s?:$/, '');
  return escaped(name === '' ? lineOf(value) : `${name}: ${lineOf(value)}`.trim());
}

const escapedLines = (text: string): string[] =>
  text
    .split(/[\n\r\f\u2028\u2029]+/)
    .map((line) => escaped(lineOf(line)))
    .filter(Boolean);

/** @returns the line with a `\` before what would make a heading, an item of a list, code or a line of it */
const escaped = (line: string): string =>
  line
    .replace(/^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|```|~~~|(?:-+|=+)$)/, '\\$&')
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\');

/** The first row has all columns, as Markdown wants it. */
function tableText(rows: readonly (readonly string[])[]): string {
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const [head, ...others] = rows;
  if (!head || columns === 0) return '';
  const padded = [...head, ...Array.from({ length: columns - head.length }, () => '')];
  return [rowText(padded), `|${'---|'.repeat(columns)}`, ...others.map(rowText)].join('\n');
}

const rowText = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => lineOf(cell).replaceAll('|', '\\|')).join(' | ')} |`;

/** @returns the code in a fence that is longer than each row of its character at the beginning of a line (CommonMark 0.31.2, section 4.5) */
function fenced(code: string): string {
  const text = code.replace(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll(pageEnd, ' ');
  const lines = text.split('\n').map((line) => line.trimEnd());
  while (lines.at(-1) === '') lines.pop();
  const first = lines.findIndex((line) => line !== '');
  if (first === -1) return '';
  const ticks = longestStart(lines, '`');
  const tildes = ticks < 3 ? ticks : longestStart(lines, '~');
  const fence = (tildes < ticks ? '~' : '`').repeat(Math.max(3, Math.min(ticks, tildes) + 1));
  return [fence, ...lines.slice(first), fence].join('\n');
}

function longestStart(lines: readonly string[], mark: string): number {
  let longest = 0;
  for (const line of lines) {
    const start = line.length - line.trimStart().length;
    let end = start;
    while (line[end] === mark) end += 1;
    longest = Math.max(longest, end - start);
  }
  return longest;
}
