/** Draws a recording as an SVG that plays by itself: CSS animations, no script, no font of its own. */

import type { Cell, Screen } from './terminal.ts';

const cellWidth = 8.4;
const lineHeight = 19;
const padding = 18;
/** The last picture stays for so long before it starts again. */
const endSeconds = 6;

/** A run of characters in a row, and the pictures that show it: from the first one until before the other. */
type Run = { row: number; column: number; text: string; looks: string; from: number; until: number };

export type Words = { title: string; description: string };

/** @returns the SVG. Readers who want no motion see the last picture, as do viewers without animations */
export function draw(screens: readonly Screen[], { title, description }: Words): string {
  const last = screens.at(-1);
  if (!last) throw new Error('there is nothing to draw');
  const totalSeconds = last.seconds + endSeconds;
  const percent = (picture: number) =>
    `${Number((((screens[picture]?.seconds ?? 0) / totalSeconds) * 100).toFixed(2))}%`;
  const [width, height] = [
    Math.ceil((last.rows[0]?.length ?? 0) * cellWidth + 2 * padding),
    Math.ceil(last.rows.length * lineHeight + 2 * padding),
  ];

  const groups = Map.groupBy(runs(screens), ({ from, until }) => `${from}-${until}`);
  const animations: string[] = [];
  const drawn = [...groups.values()].map((group, index) => {
    const [{ from, until } = { from: 0, until: 0 }] = group;
    const texts = group.map(textOf).join('');
    const isLast = until === screens.length;
    if (from === 0 && isLast) return texts;
    const steps = [
      `0%{opacity:${from === 0 ? 1 : 0}}`,
      from === 0 ? '' : `${percent(from)}{opacity:1}`,
      isLast ? '' : `${percent(until)}{opacity:0}`,
    ];
    animations.push(`@keyframes a${index}{${steps.join('')}}#a${index}{animation-name:a${index}}`);
    return `<g id="a${index}"${isLast ? '' : ' class="past"'}>${texts}</g>`;
  });

  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">${escaped(title)}</title>
<desc id="description">${escaped(description)}</desc>
<style>
:root{--back:#f6f8fa;--frame:#d1d9e0;--ink:#1f2328;--soft:#59636e;--c1:#b3261e;--c2:#116329;--c3:#7d4e00;--c4:#0550ae;--c5:#8250df;--c6:#1b5e6b}
@media (prefers-color-scheme:dark){:root{--back:#0d1117;--frame:#3d444d;--ink:#e6edf3;--soft:#9198a1;--c1:#ff7b72;--c2:#56d364;--c3:#e3b341;--c4:#79c0ff;--c5:#d2a8ff;--c6:#56d4dd}}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace;fill:var(--ink);white-space:pre}
.bold{font-weight:700}.dim{fill:var(--soft)}${[1, 2, 3, 4, 5, 6].map((one) => `.c${one}{fill:var(--c${one})}`).join('')}
.past{opacity:0}
#cursor{fill:var(--ink);opacity:.6;transform:${placeOf(last)}}
@media (prefers-reduced-motion:no-preference){
g[id],#cursor{animation:${totalSeconds.toFixed(1)}s step-end infinite}
${animations.join('\n')}
#cursor{animation-name:cursor}
@keyframes cursor{${cursorSteps(screens, percent)}}
}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="var(--back)" stroke="var(--frame)"/>
<rect id="cursor" width="${cellWidth}" height="${lineHeight - 2}"/>
${drawn.join('\n')}
</svg>
`;
}

/**
 * Every character that is not blank, from the picture in which it appears until before the one in which it is gone. Those of a
 * row that come and go together are one run.
 */
export function runs(screens: readonly Screen[]): Run[] {
  const found: Run[] = [];
  for (const row of screens[0]?.rows.keys() ?? []) {
    const cellAt = (picture: number, column: number) => screens[picture]?.rows[row]?.[column];
    const isBlank = ({ from, until }: Run, column: number) => {
      for (let picture = from; picture < until; picture += 1)
        if (cellAt(picture, column)?.text !== ' ') return false;
      return true;
    };
    const open = new Map<string, Run>();
    for (const column of screens[0]?.rows[row]?.keys() ?? []) {
      for (let from = 0, until = 1; from < screens.length; from = until, until += 1) {
        const cell = cellAt(from, column);
        while (until < screens.length && isSame(cellAt(until, column), cell)) until += 1;
        if (!cell || cell.text === ' ') continue;
        const looks = looksOf(cell);
        const key = `${from} ${until} ${looks}`;
        const run = open.get(key);
        const between = run ? column - run.column - run.text.length : 0;
        if (run && Array.from({ length: between }).every((_, at) => isBlank(run, column - 1 - at)))
          run.text += ' '.repeat(between) + cell.text;
        else {
          const next = { row, column, text: cell.text, looks, from, until };
          open.set(key, next);
          found.push(next);
        }
      }
    }
  }
  return found;
}

const isSame = (one: Cell | undefined, other: Cell | undefined) =>
  one && other && one.text === other.text && (one.text === ' ' || looksOf(one) === looksOf(other));

const looksOf = ({ colour, isBold, isDim }: Cell) =>
  [isBold && 'bold', isDim && 'dim', colour !== undefined && colour % 8 > 0 && `c${colour % 8}`]
    .filter(Boolean)
    .join(' ');

/** Its length is fixed, because the reader's font may be wider. */
function textOf({ row, column, text, looks }: Run): string {
  const x = round(padding + column * cellWidth);
  const y = round(padding + (row + 0.75) * lineHeight);
  const length = text.length > 1 ? ` textLength="${round(text.length * cellWidth)}"` : '';
  return `<text x="${x}" y="${y}"${length}${looks && ` class="${looks}"`}>${escaped(text)}</text>`;
}

const cursorSteps = (screens: readonly Screen[], percent: (picture: number) => string) =>
  screens.map((screen, picture) => `${percent(picture)}{transform:${placeOf(screen)}}`).join('');

/** A hidden cursor is outside the picture. */
const placeOf = ({ cursor }: Screen): string =>
  cursor
    ? `translate(${round(padding + cursor.column * cellWidth)}px,${round(padding + cursor.row * lineHeight)}px)`
    : 'translate(0,-50px)';

const round = (value: number) => Number(value.toFixed(1));

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
