/** Pictures, charts and diagrams in a paragraph. Their text boxes are read; the text in a picture is not. */

import { alternativeText } from '../../readers/alternative-text.ts';
import type { AttributeReader } from './xml.ts';

type Drawing = { pictures: number; text: string; isDecorative: boolean };

export const isDrawing = (name: string): boolean =>
  name === 'w:drawing' || name === 'w:pict' || name === 'w:object';

export function openDrawings() {
  const open: Drawing[] = [];
  let withoutText = 0;
  return {
    /** How many pictures have no alternative text. */
    withoutText: (): number => withoutText,
    open(name: string, attribute: AttributeReader): void {
      if (isDrawing(name)) open.push({ pictures: 0, text: '', isDecorative: false });
      const drawing = open.at(-1);
      if (!drawing) return;
      if (name === 'pic:pic' || name === 'v:imagedata') drawing.pictures += 1;
      if (name === 'a:graphicData' && /chart|diagram/.test(attribute('uri') ?? '')) drawing.pictures += 1;
      if (name === 'adec:decorative' && attribute('val') !== '0') drawing.isDecorative = true;
      if (name === 'wp:docPr' || name === 'pic:cNvPr') drawing.text ||= attribute('descr') ?? '';
      if (name === 'v:shape') drawing.text ||= attribute('alt') ?? '';
    },
    /** @returns the alternative text of the pictures of a drawing that ends: its author's words for what they show */
    close(name: string): string {
      const drawing = isDrawing(name) ? open.pop() : undefined;
      if (!drawing || drawing.pictures === 0 || drawing.isDecorative) return '';
      const text = alternativeText(drawing.text);
      if (text === '') withoutText += drawing.pictures;
      return text;
    },
  };
}
