/** Text of others in a terminal. */

import { describe, expect, test } from 'vitest';
import { fieldsTable } from '../../cli/src/output/table.ts';
import { safeLine, safeText } from '../../cli/src/output/text.ts';
import { cpuMsOf } from '../support/cpu-time.ts';

describe('control sequences are removed as a whole', () => {
  test.each<[string, string, string]>([
    ['colours', 'a \u001b[31;1mred\u001b[0m b', 'a red b'],
    ['one byte for ESC [', 'a\u009b2Jb', 'ab'],
    ['the title of the window', 'a\u001b]0;other\u0007b', 'ab'],
    ['a link', '\u001b]8;;https://example.com\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['a string for the device', 'a\u001bP1$r\u001b\\b', 'ab'],
    ['a choice of characters', 'a\u001b(0b', 'ab'],
    ['a reset', 'a\u001bcb', 'ab'],
    ['a sequence that removal would form', '\u001b\u001b[0m[31mred', 'red'],
  ])('%s', (_title, text, shown) => {
    expect(safeText(text)).not.toContain('\u001b');
    expect(safeText(text).replace(/^\[31m/, '')).toBe(shown);
  });

  test('a sequence that never ends hides nothing', () => {
    expect(safeText('before \u001b]0;after')).toBe('before 0;after');
    expect(safeText('\u001b]a\u001b]b\u0007c')).toBe('ac');
  });
});

test('one line: line ends with the spaces around them become one space', () => {
  expect(safeLine('a \n\n  b\r\nc ')).toBe('a b c ');
});

test('the fields of a resource: text of several lines stays in its column', () => {
  const value = { id: 'a', metadata: { note: 'one\ntwo' }, tags: [], none: null };
  const shown = ['id             a', 'metadata.note  one', '               two', 'tags', ''].join('\n');
  expect(fieldsTable(value, (_style, text) => text)).toBe(shown);
});

// A backtracking expression would need minutes.
test.each([
  ['beginnings of strings', '\u001b]'],
  ['beginnings of beginnings', '\u001b\u001b]\u0007]'],
  ['parameters without an end', '\u001b[1;'],
  ['spaces', ' '],
  ['line ends', ' \n'],
])('200 KB of %s are shown at once', (_title, part) => {
  const text = `${part.repeat((200 * 1024) / part.length)}éx`;
  const show = () => {
    expect(safeLine(text)).toMatch(/x$/);
    expect(fieldsTable({ text }, (_style, one) => one)).toContain('text');
  };
  expect(cpuMsOf(show)).toBeLessThan(3000);
});
