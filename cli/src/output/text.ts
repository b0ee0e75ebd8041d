/** Texts for a terminal: texts of others made safe, such as titles and messages, and counts, colours and times. */

import { styleText } from 'node:util';
import type { Out, Shell } from '../shell.ts';

/** C0 and C1 controls except line feed, and the marks that reverse the direction of what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it removes
const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Control sequences (ECMA-48): strings that end, CSI, and others. Node's `stripVTControlCharacters` takes minutes for a document
 * that consists of their beginnings; here, no part can match what follows it, so the time is linear.
 */
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it removes
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])(?:[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c))?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** Removes what could move the cursor, change colours, or hide text. Line ends stay. */
export const safeText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll('\t', '  ').replace(sequences, '').replace(unsafe, '');

/** Makes a text safe, and puts it on one line. */
export const safeLine = (text: string): string => safeText(text).replace(/(?<!\s)\s*\n\s*/g, ' ');

/** Makes JSON for a terminal. It escapes control characters that JSON itself leaves as they are: `\\u009b`. */
export const safeJson = (value: unknown, indent?: number): string =>
  safeJsonText(JSON.stringify(value, null, indent));

/** Escapes the control characters in text that is JSON already. */
export const safeJsonText = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A number and what it counts: `1 document`, `2 documents`. */
export const counted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`;

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

/** A terminal gets colours unless it refuses them (https://no-color.org). Other outputs get them with `FORCE_COLOR`. */
export const hasColours = ({ env }: Pick<Shell, 'env'>, out: Out): boolean => {
  if (env.NO_COLOR || env.TERM === 'dumb') return false;
  return Boolean(env.FORCE_COLOR && env.FORCE_COLOR !== '0') || out.isTTY === true;
};

export const paintFor = (shell: Pick<Shell, 'env'>, out: Out): Paint =>
  hasColours(shell, out)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;

/**
 * Highlights the matches in a snippet.
 *
 * @param matches offsets in UTF-16 code units, in order
 * @param safe makes the parts safe: `safeText` keeps the lines of a passage
 */
export function highlightMatches(
  snippet: string,
  matches: readonly { start: number; end: number }[],
  paint: Paint,
  safe: (text: string) => string = safeLine,
): string {
  let at = 0;
  const parts = matches.map(({ start, end }) => {
    const before = snippet.slice(at, start);
    at = end;
    return safe(before) + paint(['bold', 'yellow'], safe(snippet.slice(start, end)));
  });
  return parts.join('') + safe(snippet.slice(at));
}

const units = [
  ['s', 60],
  ['min', 60],
  ['h', 24],
  ['d', 365],
  ['y', Number.POSITIVE_INFINITY],
] as const;

/** Whether a text is a time of the API: ISO 8601 in UTC. */
export const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text) && !Number.isNaN(Date.parse(text));

/** @returns `2 h ago`, `in 3 d` or `now`, rounded down. --json and --utc show the exact times */
export function relativeTime(time: string, nowMs: number): string {
  const ms = nowMs - Date.parse(time);
  let count = Math.floor(Math.abs(ms) / 1000);
  // Clocks differ a little.
  if (count < 2) return 'now';
  for (const [unit, next] of units) {
    if (count < next) return ms > 0 ? `${count} ${unit} ago` : `in ${count} ${unit}`;
    count = Math.floor(count / next);
  }
  return time;
}
