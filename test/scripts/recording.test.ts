/** The recording in README.md, and how it is drawn. `npm run recording` makes it. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { DOMParser, type Document, type Element, onWarningStopParsing } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../cli/src/program.ts';
import { draw } from '../../scripts/recording/drawing.ts';
import { commands, description, title } from '../../scripts/recording/scene.ts';
import { screens } from '../../scripts/recording/terminal.ts';
import { session } from '../../scripts/recording/timing.ts';
import { root } from '../../scripts/shared/root.ts';

const maxBytes = 60_000;

/** @throws Error unless it is well-formed XML */
const parsed = (svg: string) =>
  new DOMParser({ onError: onWarningStopParsing }).parseFromString(svg, 'image/svg+xml');

/** @returns the rows that the SVG shows; without a time, those without animations */
function rowsOf(document: Document, percent?: number): string[] {
  const style = document.getElementsByTagName('style')[0]?.textContent ?? '';
  const isShown = (group: Element) => {
    if (percent === undefined) return group.getAttribute('class') !== 'past';
    const [, steps = ''] =
      new RegExp(`@keyframes ${group.getAttribute('id')}\\{(.*?\\})\\}`).exec(style) ?? [];
    const passed = [...steps.matchAll(/([\d.]+)%\{opacity:(\d)\}/g)].filter(
      ([, at]) => Number(at) <= percent,
    );
    return passed.at(-1)?.[2] === '1';
  };
  const rows = new Map<number, string>();
  const texts = [...document.getElementsByTagName('text')]
    .filter(({ parentNode }) => parentNode?.nodeName !== 'g' || isShown(parentNode as Element))
    .map((text) => ({
      x: Number(text.getAttribute('x')),
      y: Number(text.getAttribute('y')),
      text: text.textContent ?? '',
    }))
    .sort((one, other) => one.x - other.x);
  for (const { x, y, text } of texts) {
    const column = Math.round((x - 18) / 8.4);
    rows.set(y, (rows.get(y) ?? '').padEnd(column) + text);
  }
  return [...rows].sort(([one], [other]) => one - other).map(([, row]) => row);
}

describe('docs/recording.svg', () => {
  const svg = readFileSync(resolve(root, 'docs/recording.svg'), 'utf8');
  const document = parsed(svg);
  const shown = rowsOf(document)
    .filter((row) => row.startsWith('$ '))
    .map((row) => row.slice(2));

  test('shows the commands, also without animations', () => {
    expect(shown).toEqual(commands);
  });

  test.each(commands)('the command line still has it: %s', (line) => {
    const noTerminal = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    let command = createProgram({ env: {}, cwd: '/', platform: 'linux', nowMs: () => 0, ...noTerminal });
    const [program, ...words] = line.replace(/ [|>].*/, '').split(' ');
    expect(program).toBe('platform');
    for (let below = true; below; ) {
      const next = command.commands.find((one) => one.name() === words[0]);
      below = next !== undefined;
      if (next) command = next;
      if (next) words.shift();
    }
    const { operands, unknown } = command.parseOptions(words);
    expect(unknown).toEqual([]);
    expect(operands).toHaveLength(command.registeredArguments.length);
  });

  test('has no key, and no name or address of the machine that made it', () => {
    expect(svg).not.toMatch(
      /sk_(live|test)_|Bearer|127\.0\.0\.1|localhost|\/(tmp|home|root|Users|work|var)\//,
    );
  });

  test('loads nothing and runs nothing', () => {
    expect(svg).not.toMatch(/<(script|image|use|a|foreignObject)\b|\bon\w+=|href|url\(|@import|@font-face/i);
  });

  test('is small', () => {
    expect(Buffer.byteLength(svg)).toBeLessThan(maxBytes);
  });

  test('says what it shows, and keeps still for readers who want that', () => {
    expect(document.getElementsByTagName('title')[0]?.textContent).toBe(title);
    expect(document.getElementsByTagName('desc')[0]?.textContent).toBe(description);
    const [, animated = ''] = svg.split('@media (prefers-reduced-motion:no-preference){');
    expect(animated).toContain('@keyframes');
    expect(svg.replace(animated, '')).not.toMatch(/@keyframes|animation/);
    const readme = readFileSync(resolve(root, 'README.md'), 'utf8');
    expect(readme).toContain(`![${description}](docs/recording.svg)`);
  });
});

describe('a recording', () => {
  const size = { columns: 20, rows: 4 };
  const outputs = [
    { seconds: 0.2, text: '\u001b[?25l\u001b[1mbar\u001b[22m ██░░' },
    { seconds: 0.3, text: '\r\u001b[1mbar\u001b[22m ███░' },
    { seconds: 9.3, text: '\r\u001b[K\u001b[?25h<a> & b\r\n' },
  ];

  test('types the command, and cuts long waits', () => {
    const typed = session([{ command: 'ls', outputs }], 1);
    expect(typed.map(({ text }) => text).slice(0, 3)).toEqual([expect.stringContaining('$'), 'l', 's']);
    const waits = typed.slice(1).map(({ seconds }, index) => seconds - (typed[index]?.seconds ?? 0));
    expect(Math.max(...waits)).toBeLessThanOrEqual(1.0001);
    expect(Math.min(...waits)).toBeGreaterThan(0);
  });

  test('shows at each time what the terminal shows, and keeps the last picture', async () => {
    const pictures = await screens(session([{ command: 'ls', outputs }], 1), size);
    const document = parsed(draw(pictures, { title: 'a', description: 'b & c' }));
    const totalSeconds = Number(/animation:([\d.]+)s/.exec(document.documentElement?.textContent ?? '')?.[1]);
    const rows = pictures.map((picture) =>
      picture.rows
        .map((cells) =>
          cells
            .map(({ text }) => text)
            .join('')
            .trimEnd(),
        )
        .filter(Boolean),
    );
    expect(rows.at(-1)).toEqual(['$ ls', '<a> & b', '$']);
    for (const [index, { seconds }] of pictures.entries())
      expect(rowsOf(document, (seconds / totalSeconds) * 100 + 0.05), `${index}`).toEqual(rows[index]);
    expect(rowsOf(document)).toEqual(rows.at(-1));
    expect(rowsOf(document, 99.9)).toEqual(rows.at(-1));
    expect(pictures.map(({ cursor }) => cursor !== undefined)).toContain(false);
  });
});
