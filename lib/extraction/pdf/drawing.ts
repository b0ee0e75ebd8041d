/** Draws a page without a canvas, to learn where its glyphs are. */

import { getResolvedPDFJS } from 'unpdf';
import type { PdfDocument, PdfPage } from './open-pdf.ts';

export type Layers = Awaited<ReturnType<PdfDocument['getOptionalContentConfig']>>;
export type Drawn = { text: string; x: number; y: number };

type Matrix = readonly [number, number, number, number, number, number];
type Arguments = Awaited<ReturnType<PdfPage['getOperatorList']>>['argsArray'][number];
type Glyph = { unicode?: string; width?: number; isSpace?: boolean; vmetric?: readonly number[] | null };

const identity: Matrix = [1, 0, 0, 1, 0, 0];

const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];

/** The state of the drawing ("PDF Reference" 1.7, sections 4.3 and 5.2). */
const initial = {
  matrix: identity,
  font: '',
  size: 0,
  character: 0,
  word: 0,
  scale: 1,
  leading: 0,
  rise: 0,
};

/** @returns the glyphs on layers that are off, without spaces, and the soft hyphens on others */
export async function drawnGlyphs(
  page: PdfPage,
  layers: Layers,
): Promise<{ hidden: Drawn[]; hyphens: Drawn[] }> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 });
  const hidden: Drawn[] = [];
  const hyphens: Drawn[] = [];
  let state = initial;
  const saved: (typeof initial)[] = [];
  let text = identity;
  let line = identity;
  /** Whether each open part of the content is hidden. */
  const parts: boolean[] = [];
  let hiddenParts = 0;
  const begin = (isHidden: boolean) => {
    parts.push(isHidden);
    if (isHidden) hiddenParts += 1;
  };
  const set = (changes: Partial<typeof initial>) => {
    state = { ...state, ...changes };
  };
  const beginLine = (matrix: Matrix) => {
    line = matrix;
    text = matrix;
  };
  const toLine = (x: number, y: number) => beginLine(times(line, [1, 0, 0, 1, x, y]));
  const show = (glyphs: readonly (Glyph | number)[]) => {
    const { isVertical, unit } = fontOf(page, state.font);
    for (const glyph of glyphs) {
      let advance: number;
      if (typeof glyph === 'number') advance = (-glyph * state.size) / 1000;
      else {
        const [, , , , x, y] = times(times(state.matrix, text), [1, 0, 0, 1, 0, state.rise]);
        const drawn = { text: glyph.unicode ?? '', x, y };
        if (drawn.text.trim() !== '' && hiddenParts > 0) hidden.push(drawn);
        if (drawn.text === '\u00ad' && hiddenParts === 0) hyphens.push(drawn);
        const width = isVertical ? (glyph.vmetric?.[0] ?? -1000) : (glyph.width ?? 0);
        advance =
          width * unit * state.size +
          (isVertical ? -1 : 1) * (state.character + (glyph.isSpace ? state.word : 0));
      }
      text = times(text, [1, 0, 0, 1, isVertical ? 0 : advance * state.scale, isVertical ? advance : 0]);
    }
  };
  const restore = () => {
    state = saved.pop() ?? state;
  };
  const operators: Readonly<Record<number, (args: Arguments) => void>> = {
    [OPS.save]: () => saved.push(state),
    [OPS.restore]: restore,
    [OPS.paintFormXObjectBegin]: ([matrix]) => {
      saved.push(state);
      if (matrix) set({ matrix: times(state.matrix, matrix) });
    },
    [OPS.paintFormXObjectEnd]: restore,
    [OPS.transform]: (matrix) => set({ matrix: times(state.matrix, matrix) }),
    [OPS.beginText]: () => beginLine(identity),
    [OPS.setTextMatrix]: ([matrix]) => beginLine(matrix),
    [OPS.moveText]: ([x, y]) => toLine(x, y),
    [OPS.setLeadingMoveText]: ([x, y]) => {
      set({ leading: -y });
      toLine(x, y);
    },
    [OPS.nextLine]: () => toLine(0, -state.leading),
    [OPS.setFont]: ([font, size]) => set({ font, size }),
    [OPS.setGState]: ([changes]) => {
      for (const [name, value] of changes) if (name === 'Font') set({ font: value[0], size: value[1] });
    },
    [OPS.setCharSpacing]: ([character]) => set({ character }),
    [OPS.setWordSpacing]: ([word]) => set({ word }),
    [OPS.setHScale]: ([percent]) => set({ scale: percent / 100 }),
    [OPS.setLeading]: ([leading]) => set({ leading }),
    [OPS.setTextRise]: ([rise]) => set({ rise }),
    [OPS.beginMarkedContent]: () => begin(false),
    [OPS.beginMarkedContentProps]: ([tag, layer]) => begin(tag === 'OC' && !layers.isVisible(layer)),
    [OPS.endMarkedContent]: () => {
      if (parts.pop()) hiddenParts -= 1;
    },
    [OPS.showText]: ([glyphs]) => show(glyphs),
  };
  for (const [at, operator] of fnArray.entries()) operators[operator]?.(argsArray[at] ?? []);
  return { hidden, hyphens };
}

/** A font that the library could not load has usual glyphs. */
function fontOf({ commonObjs }: PdfPage, name: string): { isVertical: boolean; unit: number } {
  const font = commonObjs.has(name) ? commonObjs.get(name) : undefined;
  return { isVertical: font?.vertical === true, unit: font?.fontMatrix?.[0] ?? 0.001 };
}
