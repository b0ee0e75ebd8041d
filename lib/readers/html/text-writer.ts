/** Text with the white space of HTML collapsed (CSS Text Module Level 3, section 4.1.1), and code with all of it. */

import { type Separator, separators } from './elements.ts';

export type TextWriter = {
  write(value: string): void;
  /** The strongest of several adjacent separators is written. */
  separate(separator: Separator): void;
  /** The separator before the next text. */
  pending(): Separator;
  /** Writes a marker of an item before the next text. */
  mark(mark: string): void;
  /** @returns the text written so far, and clears it */
  take(): string;
};

export function textWriter(): TextWriter {
  let text = '';
  let next: Separator = '';
  let prefix = '';
  const separate = (separator: Separator): void => {
    if (separators.indexOf(separator) > separators.indexOf(next)) next = separator;
  };
  const add = (words: string): void => {
    if (words === '') return;
    text += (text === '' ? '' : next) + prefix + words;
    next = '';
    prefix = '';
  };
  return {
    separate,
    pending: () => next,
    mark(mark) {
      prefix = mark;
    },
    write(value) {
      // A soft hyphen is shown only at the end of a line.
      const words = value.replaceAll('\u00ad', '').split(/[\t\n\f\r \u00a0]+/);
      if (words[0] === '') separate(' ');
      add(words.filter(Boolean).join(' '));
      if (words.at(-1) === '') separate(' ');
    },
    take() {
      const result = text;
      text = '';
      next = '';
      prefix = '';
      return result;
    },
  };
}

/** Text of one line, such as that of a cell. */
export function lineWriter(): TextWriter {
  const writer = textWriter();
  return {
    ...writer,
    separate: (separator) => writer.separate(separator.startsWith('\n') ? ' ' : separator),
  };
}

/** Code keeps its white space. Blocks in it are lines. */
export function codeWriter(): TextWriter {
  let text = '';
  let isAtStart = true;
  let hasEnded = false;
  return {
    separate(separator) {
      if (separator.length > 1 || separator === '\n') hasEnded = true;
    },
    pending: () => (hasEnded ? '\n' : ''),
    mark() {},
    write(value) {
      if (value === '') return;
      text += hasEnded && !isAtStart && !value.startsWith('\n') ? `\n${value}` : value;
      hasEnded = false;
      isAtStart = value.endsWith('\n');
    },
    take: () => text,
  };
}
