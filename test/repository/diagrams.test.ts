/**
 * The diagrams of the documents: each box names a file or folder that exists, and each line has a form that Mermaid
 * reads. Mermaid itself would be larger than the rest of node_modules, so these tests know only the few forms of
 * flowcharts that the documents use.
 */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/shared/root.ts';

type Box = { id: string; label: string };
type Diagram = { boxes: Box[]; edges: string[][]; wrong: string[] };

const box = /^(\w+)(?:\["([^"]+)"\]|\[\("([^"]+)"\)\])$/;
const group = /^subgraph (\w+)\["([^"]+)"\]$/;
const edge = /^\w+(?: --> \w+| -- "[^"]+" --> \w+)+$/;

/** @returns the boxes of a flowchart, the boxes that each line of arrows connects, and the lines of no known form */
function diagramOf(code: string): Diagram {
  const [first = '', ...lines] = code
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const diagram: Diagram = { boxes: [], edges: [], wrong: [] };
  if (!/^flowchart (LR|TB)$/.test(first)) diagram.wrong.push(first);
  let depth = 0;
  for (const line of lines) {
    const [, id, label, round] = box.exec(line) ?? group.exec(line) ?? [];
    if (line.startsWith('subgraph ')) depth += 1;
    if (id !== undefined) diagram.boxes.push({ id, label: label ?? round ?? '' });
    else if (edge.test(line)) diagram.edges.push(line.split(/ (?:-- "[^"]+" )?--> /));
    else if (line === 'end' && depth > 0) depth -= 1;
    else if (!/^direction (LR|TB)$/.test(line)) diagram.wrong.push(line);
  }
  if (depth > 0) diagram.wrong.push('a subgraph without its end');
  return diagram;
}

/** @returns the paths in a box: the words of its last line that have a slash or the ending of a file */
const pathsIn = (label: string): string[] =>
  (label.split('<br/>').at(-1) ?? '').split(/[\s,]+/).filter((word) => /\/|\.\w+$/.test(word));

const documents = globSync('{*,docs/*}.md', { cwd: root }).sort();
const diagrams = documents.flatMap((name) =>
  [...readFileSync(resolve(root, name), 'utf8').matchAll(/^```mermaid\n([\s\S]*?)^```$/gm)].map(
    ([, code = ''], index) => [`${name}, diagram ${index + 1}`, diagramOf(code)] as const,
  ),
);

test('README.md shows the architecture and the path of a request', () => {
  expect(diagrams.filter(([title]) => title.startsWith('README.md'))).toHaveLength(2);
});

describe.each(diagrams)('%s', (_, { boxes, edges, wrong }) => {
  test('has only lines that Mermaid reads', () => {
    expect(wrong).toEqual([]);
  });

  test('connects boxes that it has', () => {
    const ids = boxes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(edges.flat().filter((id) => !ids.includes(id))).toEqual([]);
  });

  test.each(boxes.map(({ id, label }) => [id, pathsIn(label)] as const))(
    '%s names what exists',
    (_, paths) => {
      expect(paths).not.toEqual([]);
      expect(paths.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
    },
  );
});
