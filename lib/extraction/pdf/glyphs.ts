/**
 * Finds the glyphs on layers that are off, and soft hyphens: the text of the library does not show them. The page is drawn without a
 * canvas for this. Drawing takes time, so only documents that may have such glyphs are drawn.
 */

import { type Drawn, drawnGlyphs, type Layers } from './drawing.ts';
import type { PdfPage } from './open-pdf.ts';
import type { Item } from './runs.ts';

export function hasHiddenLayer(layers: Layers): boolean {
  for (const [, { visible }] of layers) if (!visible) return true;
  return false;
}

/** @returns the items without those that are hidden, and with the soft hyphens behind them */
export async function withGlyphs(items: readonly Item[], page: PdfPage, layers: Layers): Promise<Item[]> {
  const { hidden, hyphens } = await drawnGlyphs(page, layers);
  const shown = withoutHidden(items, hidden);
  const ends = new Map(hyphens.map((hyphen) => [placeOf(hyphen.x, hyphen.y), hyphen]));
  return shown.map((item) => {
    const [a = 0, b = 0, , , x = 0, y = 0] = item.transform;
    const size = Math.hypot(a, b) || 1;
    const end = { x: x + (a / size) * item.width, y: y + (b / size) * item.width };
    return around(end.x, end.y).some((place) => ends.has(place))
      ? { ...item, str: `${item.str}\u00ad` }
      : item;
  });
}

const placeOf = (x: number, y: number): string => `${Math.round(x)} ${Math.round(y)}`;
const around = (x: number, y: number): string[] =>
  [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((up) => placeOf(x + right, y + up)));

const maxAtPlace = 8;

/** An item is hidden if its glyphs are drawn from its place on a hidden layer. The same text may also be on a visible one. */
function withoutHidden(items: readonly Item[], hidden: readonly Drawn[]): Item[] {
  const places = new Map<string, number[]>();
  for (const [at, { x, y }] of hidden.entries()) {
    const place = placeOf(x, y);
    const others = places.get(place);
    if (!others) places.set(place, [at]);
    else if (others.length < maxAtPlace) others.push(at);
  }
  return items.filter(({ str, transform }) => {
    const text = lettersOf(str);
    if (text === '') return true;
    const isDrawn = (first: number) => {
      const glyphs = hidden.slice(first, first + text.length).map((glyph) => glyph.text);
      return sorted(lettersOf(glyphs.join('')).slice(0, text.length)) === sorted(text);
    };
    for (const place of around(transform[4] ?? 0, transform[5] ?? 0)) {
      const starts = places.get(place);
      const at = starts?.findIndex(isDrawn) ?? -1;
      if (at === -1) continue;
      starts?.splice(at, 1);
      return false;
    }
    return true;
  });
}

const lettersOf = (text: string): string => text.normalize('NFKC').replace(/\s/g, '');
/** A text from right to left has its letters in the order of reading. Its glyphs have the order of drawing. */
const sorted = (text: string): string => [...text].sort().join('');
