/** Tables in documents, between marks: `<!-- name -->` and `<!-- /name -->`. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from './root.ts';

/** The text of each file by its path, relative to the root. */
export type Files = Readonly<Record<string, string>>;

/** @returns a Markdown table */
export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** @returns the text with something else between the marks @throws Error if it does not have them */
export function replaceMarked(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = text.indexOf(start) + start.length;
  const to = text.indexOf(end, from);
  if (!text.includes(start) || to === -1) throw new Error(`no place for ${name}`);
  return `${text.slice(0, from)}\n\n${content}\n\n${text.slice(to)}`;
}

/** @returns the file with its tables, by the names of their marks */
export function withTables(file: string, tables: Readonly<Record<string, string>>): Files {
  let text = readFileSync(resolve(root, file), 'utf8');
  for (const [name, content] of Object.entries(tables)) text = replaceMarked(text, name, content);
  return { [file]: text };
}
