/** What rules need of texts: one form for equal texts, the detected languages, and the limits of regular expressions. */

import type { Message } from '../../conversations/schema/message.ts';
import { streamSafe } from '../../text/normalise.ts';

export type RuleMessage = Pick<Message, 'seq' | 'role' | 'text' | 'at'> & {
  readonly citations: readonly unknown[];
};

/**
 * Upper case comes first, because it makes "ß" and "SS", "ς" and "σ" the same.
 * @returns one form for texts that differ only in case, width or composition
 */
export const foldText = (text: string): string =>
  streamSafe(text).normalize('NFKC').toUpperCase().toLowerCase();

export const maxPatternLength = 500;

/** The steps of the expressions of one rule, together. Each character of a message takes at most so many steps. */
export const maxPatternSteps = 50;

/**
 * The work of the expressions of one rule in one conversation: their steps × the characters that they read, in UTF-16 code units. Five
 * steps read a million characters, 50 steps 100 000. The slowest known expressions, such as `(?i)[x\p{Lu}]\p{L}{46}\p{Nd}`, then take
 * 80 ms of a processor with 5 or 10 steps, 100 ms with 20, and 120 ms with 50.
 */
export const maxPatternWork = 5_000_000;

export const maxPatterns = 10;

const codes = [
  'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv',
  'ml mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh',
] as const;

type Words<Line extends string> = Line extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Line;

export type Language = Words<(typeof codes)[number]>;

/** The languages that are detected (ISO 639-1). They are not in the file of the detector, whose data is large. */
export const languages = codes.flatMap((line) => line.split(' ')) as [Language, ...Language[]];
