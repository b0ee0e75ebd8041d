/** The places that take blocks: the part itself, cells, text boxes and notes. A place may be inside of another place. */

import type { Content } from './content.ts';
import type { Notes } from './notes.ts';
import type { Blocks, Paragraph } from './paragraph.ts';

export type Places = ReturnType<typeof openPlaces>;

type Place = { content: Content; continued?: Paragraph | undefined };

export function openPlaces(blocks: Blocks, notes: Notes) {
  const root: Place = { content: [] };
  const inner: Place[] = [];
  const place = (): Place => inner.at(-1) ?? root;

  const put = (paragraph: Paragraph): void => {
    const { content } = place();
    const block = blocks.next(paragraph);
    const last = content.at(-1);
    if (block?.type === 'code' && last && !Array.isArray(last) && last.type === 'code') {
      content[content.length - 1] = { type: 'code', text: `${last.text}\n${block.text}` };
    } else if (block && (block.type !== 'code' || block.text !== '')) {
      // The notes of a section stand at its end.
      if (block.type === 'heading' && inner.length === 0) content.push(...notes.take('footnote'));
      content.push(block);
    }
    if (paragraph.beside.length > 0) content.push(paragraph.beside);
  };
  /** The last paragraph of a place may be one that goes on. */
  const finish = (): Place => {
    const { continued } = place();
    place().continued = undefined;
    if (continued) put(continued);
    return place();
  };

  return {
    enter: (): void => void inner.push({ content: [] }),
    /** Ends the innermost place. @returns its content */
    leave(): Content {
      const { content } = finish();
      inner.pop();
      return content;
    },
    add: (content: Content): void => void finish().content.push(content),
    /** @returns the paragraph that the next one continues */
    takeContinued(): Paragraph | undefined {
      const { continued } = place();
      place().continued = undefined;
      return continued;
    },
    put(paragraph: Paragraph): void {
      if (paragraph.isContinued) place().continued = paragraph;
      else put(paragraph);
    },
  };
}
