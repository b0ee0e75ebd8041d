/** Makes blocks of paragraphs: headings, items of lists, captions, code and paragraphs. */

import type { Block } from '../../readers/blocks.ts';
import type { Script } from '../../readers/scripts.ts';
import type { Content } from './content.ts';
import type { Numbering } from './numbering.ts';
import { bodyLevel, type Styles } from './styles.ts';

export type Run = { isHidden?: boolean; styleHides: boolean; font: string; script?: Script | undefined };

export type Paragraph = {
  /** A line feed ends a line. */
  text: string;
  /** Text boxes and the texts of pictures, which stand behind the paragraph in which they are. */
  beside: Content;
  run: Run;
  styleId?: string | undefined;
  numId?: string | undefined;
  level?: number | undefined;
  outlineLevel?: number | undefined;
  /** The end of the paragraph is hidden. */
  isMarkHidden: boolean;
  /** The next paragraph goes on with the text, for example because the end of the paragraph is deleted. */
  isContinued: boolean;
};

export const newRun = (): Run => ({ styleHides: false, font: '' });

/** @param continued the paragraph before, if the text goes on */
export const newParagraph = (continued?: Paragraph): Paragraph => ({
  text: continued?.text ?? '',
  beside: continued?.beside ?? [],
  run: newRun(),
  isMarkHidden: false,
  isContinued: false,
});

/** The styles of the run and of the paragraph toggle each other. The run itself has the last word (ECMA-376 part 1, 17.7.3). */
export const isHidden = ({ run, styleId }: Paragraph, styles: Styles): boolean =>
  run.isHidden ?? run.styleHides !== (styles.paragraph(styleId).isHidden ?? false);

const highestHeading = 6;

export type Blocks = { next(paragraph: Paragraph): Block | undefined };

/** @returns a function that makes the blocks of the paragraphs of a text in their order */
export function paragraphBlocks(styles: Styles, numbering: Numbering): Blocks {
  /** The levels of the last item and of the items that contain it, outermost first. */
  let levels: number[] = [];
  const depthOf = (level: number): number => {
    levels = levels.filter((outer) => outer < level);
    return levels.push(level) - 1;
  };
  return {
    next(paragraph) {
      const style = styles.paragraph(paragraph.styleId);
      if (style.kind === 'code') return { type: 'code', text: withoutHyphens(paragraph.text).trimEnd() };
      const text = linesOf(paragraph.text);
      const numId = paragraph.numId ?? style.numId ?? '0';
      const isShown = text !== '' || !paragraph.isMarkHidden;
      const level = paragraph.level ?? (paragraph.numId === undefined ? style.listLevel : undefined);
      // An empty item counts, although it is not read.
      const marker = isShown ? numbering.next({ numId, level, styleId: style.id }) : undefined;
      if (text === '') return undefined;
      const outline = paragraph.outlineLevel ?? style.outlineLevel ?? bodyLevel;
      if (outline < bodyLevel) {
        levels = [];
        const title = text.replaceAll('\n', ' ');
        const isNumbered = marker !== undefined && !marker.isBullet && marker.text !== '';
        return {
          type: 'heading',
          level: Math.min(outline + 1, highestHeading),
          text: isNumbered ? `${marker.text} ${title}` : title,
        };
      }
      if (marker && marker.text !== '') {
        return { type: 'listItem', marker: marker.text, depth: depthOf(marker.level), text };
      }
      return { type: style.kind === 'caption' ? 'caption' : 'paragraph', text };
    },
  };
}

/** A soft hyphen shows where a word may be cut, and is not a part of it. */
const withoutHyphens = (text: string): string => text.replaceAll('\u00ad', '');

/** @returns the lines that have a text, each with its white space collapsed */
const linesOf = (text: string): string =>
  withoutHyphens(text)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
