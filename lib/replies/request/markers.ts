/**
 * Takes the markers of citations out of an answer while it arrives: `[1]`, `[1, 2]`, `[1-3]`, `[[1], [2]]` and `【1】`, and the space
 * before them. What is handed over never changes afterwards, so the beginning of a marker, white space and half of a surrogate pair
 * are held back until the next characters say what they are. Characters are UTF-16 code units here.
 */

import type { Cited } from './types.ts';

/** The longest marker. So much of an answer is held back, and white space. */
const maxMarker = 32;
/** More white space in a row is left out. */
const maxSpaces = 256;
const maxDepth = 4;

/** Only the closing bracket is missing. */
const markerAtEnd = /[[【]\s*\d[\d\s,;–-]*$/;

const isSpace = (unit: string): boolean => unit.trim() === '';
const isOpen = (unit: string): boolean => unit === '[' || unit === '【';
const isClose = (unit: string): boolean => unit === ']' || unit === '】';
const isInMarker = (unit: string): boolean => '0123456789[],;-–【】'.includes(unit) || isSpace(unit);
const isHigh = (unit: string): boolean => unit >= '\ud800' && unit <= '\udbff';
const isLow = (unit: string): boolean => unit >= '\udc00' && unit <= '\udfff';

/** The markers start at 1, so this is text, as in `array[0]`. */
const isIndex = (text: string): boolean => /^\[0+\]$/.test(text);

/** A run has nothing to hold back. */
const runOrUnit = /[^\s[\]【】\ud800-\udfff]+|[\s\S]/g;

/** A sign that follows a word without a space. */
const closing = /^[.,;:!?…)\]}"'”’»%。、，；：！？）」』】]/;

export type Markers = ReturnType<typeof openMarkers>;

/** @param passageCount passages have the numbers from 1 to this one */
export function openMarkers(passageCount: number) {
  const cited: Cited[] = [];
  let removed = 0;
  /** The length of the stored text, and its last characters. */
  let length = 0;
  let tail = '';
  /** What may be written of the current text. */
  let out = '';
  /** White space that is held back, and that of before a removed marker. */
  let spaces = '';
  let dropped: string | undefined;
  /** Where the last marker was removed. */
  let removedAt = -1;
  /** The beginning of what may be a marker, its open brackets, and whether it directly follows a word: `array[0]`. */
  let held = '';
  let depth = 0;
  let followsWord = false;
  /** The first half of a surrogate pair. */
  let high = '';
  /** The last character of the answer that is not held back, also if it was removed. */
  let before = '';

  function write(text: string): void {
    const space = length === 0 ? '' : spaceBetween(dropped, spaces, text);
    spaces = '';
    dropped = undefined;
    out += space + text;
    length += space.length + text.length;
    tail = (tail + space + text).slice(-maxMarker);
    before = text.slice(-1);
  }

  function take(unit: string): void {
    if (held !== '') takeHeld(unit);
    else if (isSpace(unit)) {
      if (spaces.length < maxSpaces) spaces += unit;
    } else if (isOpen(unit)) {
      held = unit;
      depth = 1;
      followsWord = spaces === '' && /^[\p{L}\p{N}_)\]]$/u.test(before);
    } else if (!isClose(unit) || !completesMarker()) write(unit);
  }

  /** @returns whether the bracket would make a marker of what is before and behind a removed one: `[[1] ][1]2]` */
  function completesMarker(): boolean {
    const [beginning] = tail.match(markerAtEnd) ?? [];
    return beginning !== undefined && removedAt > length - beginning.length;
  }

  function takeHeld(unit: string): void {
    const isTooDeep = isOpen(unit) && depth === maxDepth;
    if (!isInMarker(unit) || isTooDeep || held.length === maxMarker) {
      giveUp();
      take(unit);
      return;
    }
    held += unit;
    if (isOpen(unit)) depth += 1;
    if (isClose(unit)) depth -= 1;
    if (depth > 0) return;
    const numbers = held.replace(/[[\]【】]/g, ' ');
    if (!isListOfNumbers(numbers)) giveUp();
    else if (followsWord && isIndex(held)) {
      const text = held;
      held = '';
      write(text);
    } else {
      held = '';
      before = '';
      removedAt = length;
      cite(numbers);
      dropped = dropped === undefined ? spaces : withMoreLines(dropped, spaces);
      spaces = '';
    }
  }

  /** The bracket is text. What follows may be a marker. */
  function giveUp(): void {
    const text = held;
    held = '';
    write(text.slice(0, 1));
    for (const unit of text.slice(1)) take(unit);
  }

  function cite(text: string): void {
    for (const { 1: first = '', 2: last } of text.matchAll(/(\d+)(?:\s*[-–]\s*(\d+))?/g)) {
      const [from, to] = [Number(first), Number(last ?? first)];
      const ends = last === undefined ? [from] : [from, to];
      removed += ends.filter((number) => number < 1 || number > passageCount).length;
      for (let number = Math.max(1, from); number <= Math.min(to, passageCount); number += 1)
        cited.push({ number, at: length });
    }
  }

  /** Half of a pair has no form in UTF-8, so it must not be stored alone. */
  function takeUnit(unit: string): void {
    if (high !== '') {
      const first = high;
      high = '';
      if (isLow(unit)) {
        takePlain(first + unit);
        return;
      }
      takePlain('\ufffd');
    }
    if (isHigh(unit)) high = unit;
    else if (isLow(unit)) takePlain('\ufffd');
    else take(unit);
  }

  /** @param text not empty, and without what is held back */
  function takePlain(text: string): void {
    while (held !== '') giveUp();
    write(text);
  }

  function written(): string {
    const text = out;
    out = '';
    return text;
  }

  return {
    /** @returns the text that may be written. All returned texts together are the stored text */
    push(text: string): string {
      for (const [part] of text.matchAll(runOrUnit)) {
        if (part.length > 1 && held === '' && high === '') write(part);
        else for (let at = 0; at < part.length; at += 1) takeUnit(part.charAt(at));
      }
      return written();
    },
    /** @returns the rest of the stored text, which ends without white space and without the beginning of a marker with a number */
    end(): string {
      if (high !== '') takePlain('\ufffd');
      high = '';
      if (!/\d/.test(held)) while (held !== '') giveUp();
      held = '';
      spaces = '';
      return written();
    },
    /** The citations so far, in order. A passage may be cited several times. */
    cited: cited as readonly Cited[],
    /** So many numbers of no passage were removed. */
    get removed(): number {
      return removed;
    },
    /** The length of the stored text so far. */
    get length(): number {
      return length;
    },
  };
}

const isListOfNumbers = (text: string): boolean =>
  text
    .trim()
    .split(/\s*[-–,;]\s*|\s+/)
    .every((part) => /^\d+$/.test(part));

const linesIn = (space: string): number => space.split('\n').length;

const withMoreLines = (first: string, second: string): string =>
  linesIn(second) > linesIn(first) ? second : first;

/**
 * @param dropped the space before removed markers; undefined without a marker
 * @param spaces the space after them
 * @returns the space before the next text
 */
function spaceBetween(dropped: string | undefined, spaces: string, next: string): string {
  if (dropped === undefined) return spaces;
  if (spaces === '') return closing.test(next) ? '' : dropped;
  return linesIn(dropped) > linesIn(spaces) ? dropped : spaces;
}
