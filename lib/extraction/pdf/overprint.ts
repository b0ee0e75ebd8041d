/** Glyphs that a page draws twice, a little apart, look bold or have a shadow. They are read once. */

import type { Run } from './runs.ts';

/** A second glyph of the same word is further away, in heights of a letter. */
const tolerance = 0.15;
/** How many runs that begin or end at the same place are compared. */
const maxNeighbours = 4;

/** @returns the runs in their order, each glyph once */
export function drawnOnce(runs: readonly Run[]): Run[] {
  const kept = new Set<Run>();
  const starts = createPlaces(({ start }) => start);
  const ends = createPlaces(({ end }) => end);
  for (const run of runs.length < 2 ? runs : joinedGlyphs(runs)) {
    const above = starts.near(run).filter((other) => kept.has(other));
    if (above.some(({ text }) => text.startsWith(run.text))) continue;
    if (ends.near(run).some((other) => kept.has(other) && other.text.endsWith(run.text))) continue;
    // The second drawing may go on with the text behind it.
    for (const other of above) if (run.text.startsWith(other.text)) kept.delete(other);
    kept.add(run);
    starts.add(run);
    ends.add(run);
  }
  return [...kept];
}

/** The places of runs in a grid, whose cells are as large as the tolerance. */
function createPlaces(placeOf: (run: Run) => number) {
  const cells = new Map<string, Run[]>();
  const cellOf = (run: Run) => {
    const unit = 2 * tolerance * run.size;
    return { along: placeOf(run) / unit, line: run.line / unit, unit: Math.round(run.size) };
  };
  const key = (along: number, line: number, unit: number) => `${along} ${line} ${unit}`;
  return {
    add(run: Run): void {
      const { along, line, unit } = cellOf(run);
      const name = key(Math.floor(along), Math.floor(line), unit);
      const cell = cells.get(name);
      if (!cell) cells.set(name, [run]);
      else if (cell.push(run) > maxNeighbours) cell.shift();
    },
    /** @returns the runs of the same size within the tolerance */
    near(run: Run): Run[] {
      const { along, line, unit } = cellOf(run);
      const [a, b] = [Math.round(along), Math.round(line)];
      const names = [key(a - 1, b - 1, unit), key(a, b - 1, unit), key(a - 1, b, unit), key(a, b, unit)];
      const limit = tolerance * run.size;
      return names
        .flatMap((name) => cells.get(name) ?? [])
        .filter(
          (other) =>
            Math.abs(placeOf(other) - placeOf(run)) <= limit && Math.abs(other.line - run.line) <= limit,
        );
    },
  };
}

/** A page may draw each glyph twice before the next glyph. Then each run begins within the one before it. */
function joinedGlyphs(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  for (let from = 0; from < runs.length; ) {
    let to = from + 1;
    while (to < runs.length && isWithin(runs[to], runs[to - 1])) to += 1;
    const chain = runs.slice(from, to);
    for (const run of onceEach(chain) ?? chain) joined.push(run);
    from = to;
  }
  return joined;
}

function isWithin(run: Run | undefined, before: Run | undefined): boolean {
  if (!run || !before || run.isRightToLeft) return false;
  return (
    Math.abs(run.line - before.line) <= tolerance * run.size &&
    Math.abs(run.size - before.size) <= tolerance * run.size &&
    run.start < before.end - tolerance * run.size &&
    run.start > before.start - tolerance * run.size &&
    run.end > before.end - tolerance * run.size
  );
}

/** @returns the chain as one run, if each glyph is in it two, three or four times in a row */
function onceEach(chain: readonly Run[]): Run[] | undefined {
  const [first, second] = chain;
  const last = chain.at(-1);
  if (!first || !second || !last) return undefined;
  // A run that is drawn again as a whole is no chain of glyphs.
  if (chain.length === 2 && first.text === second.text && first.text.length > 1) return undefined;
  const glyphs = chain.map(({ text }) => text).join('');
  const rows = glyphs.match(/(.)\1*/gsu) ?? [];
  for (const times of [4, 3, 2]) {
    if (!rows.every((row) => [...row].length % times === 0 || row === ' ')) continue;
    const text = rows.map((row) => (row === ' ' ? row : row.slice(0, row.length / times))).join('');
    return [{ ...first, text, end: last.end }];
  }
  return undefined;
}
