/** The plots in docs/plots/: each is drawn from the tables next to it, and is accessible. */

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plots } from '../../bench/plots.ts';
import { root } from '../../scripts/shared/root.ts';

const read = (file: string) => readFileSync(resolve(root, file), 'utf8');
const tables = read('docs/performance.md');

test('every picture in docs/plots is drawn by the benchmarks', () => {
  expect(readdirSync(resolve(root, 'docs/plots')).sort()).toEqual(Object.keys(plots).sort());
});

describe.each(Object.entries(plots))('docs/plots/%s', (name, draw) => {
  const svg = read(`docs/plots/${name}`);

  test('shows the figures of docs/performance.md: npm run bench -- stacks --write draws it again', () => {
    expect(svg).toBe(draw(tables));
  });

  test('is shown in docs/performance.md, with alternative text', () => {
    expect(tables).toMatch(new RegExp(`!\\[[^\\]]{20,}\\]\\(plots/${name}\\)`));
  });

  test('has a title, a description, and colours for light and dark mode', () => {
    expect(svg).toMatch(/<title id="title">[^<]{10,}<\/title>\n<desc id="description">[^<]{50,}<\/desc>/);
    expect(svg).toContain('aria-labelledby="title description"');
    expect(svg).toContain('@media (prefers-color-scheme: dark)');
  });

  test('is self-contained: no script, font or other picture', () => {
    expect(svg).not.toMatch(/<script|<image|url\(|href|@import|@font-face/);
  });

  test('is well-formed XML', () => {
    const open: string[] = [];
    for (const [, closing, element = '', alone] of svg.matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g)) {
      if (closing) expect(open.pop()).toBe(element);
      else if (!alone) open.push(element);
    }
    expect(open).toEqual([]);
    expect(svg.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
  });

  test('fails if a table is missing', () => {
    expect(() => draw('# Performance')).toThrow('docs/performance.md');
  });
});

test.each([
  ['cold-path.svg', 'cold-path'],
  ['growth.svg', 'growth'],
  ['growth.svg', 'conversations'],
  ['races.svg', 'races'],
])('%s changes with the table of %s', (name, mark) => {
  const changed = tables.replace(new RegExp(`<!-- ${mark} -->[\\s\\S]*<!-- /${mark} -->`), (table) =>
    table.replace(/(?<=[| ])\d/g, '1$&'),
  );
  expect(changed).not.toBe(tables);
  expect(plots[name]?.(changed)).not.toBe(plots[name]?.(tables));
});
