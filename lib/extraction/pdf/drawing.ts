/** Draws a page without a canvas, to learn where its glyphs are. */

import { getResolvedPDFJS } from 'unpdf';
import type { PdfDocument, PdfPage } from './open-pdf.ts';

export type Layers = Awaited<ReturnType<PdfDocument['getOptionalContentConfig']>>;
export type Drawn = { text: string; x: number; y: number };

type Matrix = readonly [number, number, number, number, number, number];
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
type State = {
  matrix: Matrix;
  font: string;
  size: number;
  character: number;
  word: number;
  scale: number;
  leading: number;
  rise: number;
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
  let state: State = {
    matrix: identity,
    font: '',
    size: 0,
    character: 0,
    word: 0,
    scale: 1,
    leading: 0,
    rise: 0,
  };
  const saved: State[] = [];
  let text = identity;
  let line = identity;
  /** Whether each open part of the content is hidden. */
  const parts: boolean[] = [];
  let hiddenParts = 0;
  const begin = (isHidden: boolean) => {
    parts.push(isHidden);
    if (isHidden) hiddenParts += 1;
  };
  const toLine = (x: number, y: number) => {
    line = times(line, [1, 0, 0, 1, x, y]);
    text = line;
  };
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
  for (const [at, operator] of fnArray.entries()) {
    const args = argsArray[at] ?? [];
    switch (operator) {
      case OPS.save:
        saved.push({ ...state });
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        state = saved.pop() ?? state;
        break;
      case OPS.paintFormXObjectBegin:
        saved.push({ ...state });
        if (args[0]) state.matrix = times(state.matrix, args[0]);
        break;
      case OPS.transform:
        state.matrix = times(state.matrix, args);
        break;
      case OPS.beginText:
        text = identity;
        line = identity;
        break;
      case OPS.setTextMatrix:
        text = args[0];
        line = text;
        break;
      case OPS.moveText:
        toLine(args[0], args[1]);
        break;
      case OPS.setLeadingMoveText:
        state.leading = -args[1];
        toLine(args[0], args[1]);
        break;
      case OPS.nextLine:
        toLine(0, -state.leading);
        break;
      case OPS.setFont:
        [state.font, state.size] = args;
        break;
      case OPS.setGState:
        for (const [name, value] of args[0]) if (name === 'Font') [state.font, state.size] = value;
        break;
      case OPS.setCharSpacing:
        state.character = args[0];
        break;
      case OPS.setWordSpacing:
        state.word = args[0];
        break;
      case OPS.setHScale:
        state.scale = args[0] / 100;
        break;
      case OPS.setLeading:
        state.leading = args[0];
        break;
      case OPS.setTextRise:
        state.rise = args[0];
        break;
      case OPS.beginMarkedContent:
        begin(false);
        break;
      case OPS.beginMarkedContentProps:
        begin(args[0] === 'OC' && !layers.isVisible(args[1]));
        break;
      case OPS.endMarkedContent:
        if (parts.pop()) hiddenParts -= 1;
        break;
      case OPS.showText:
        show(args[0]);
        break;
    }
  }
  return { hidden, hyphens };
}

/** A font that the library could not load has usual glyphs. */
function fontOf({ commonObjs }: PdfPage, name: string): { isVertical: boolean; unit: number } {
  const font = commonObjs.has(name) ? commonObjs.get(name) : undefined;
  return { isVertical: font?.vertical === true, unit: font?.fontMatrix?.[0] ?? 0.001 };
}
