/**
 * The diagrams of the documents: each box of a flowchart names a file or folder that exists, the diagram of states has every
 * state, and each line has a form that Mermaid reads. Mermaid itself would be larger than the rest of node_modules, so these tests
 * know only the few forms that the documents use.
 */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pageStatus } from '../../lib/sources/schema/page.ts';
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
const codes = documents.flatMap((name) =>
  [...readFileSync(resolve(root, name), 'utf8').matchAll(/^```mermaid\n([\s\S]*?)^```$/gm)].map(
    ([, code = ''], index) => [`${name}, diagram ${index + 1}`, code] as const,
  ),
);
const isOfStates = (code: string) => code.startsWith('stateDiagram-v2\n');
const diagrams = codes
  .filter(([, code]) => !isOfStates(code))
  .map(([title, code]) => [title, diagramOf(code)] as const);

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

test('docs/knowledge.md shows every state of a page of a source', () => {
  const [[title, code = ''] = [], ...others] = codes.filter(([, text]) => isOfStates(text));
  expect([title, others]).toEqual(['docs/knowledge.md, diagram 1', []]);
  const helper = /^ {2}state (?:"[^"]+" as (\w+)|(\w+) <<choice>>)\n/gm;
  const transition = /^ {2}(\[\*\]|\w+) --> (\[\*\]|\w+): [^:;#\n]+\n/gm;
  const rest = code.replace(helper, '').replace(transition, '');
  expect(rest).toBe('stateDiagram-v2\n  direction LR\n');
  const helpers = [...code.matchAll(helper)].map(([, label, choice]) => label ?? choice);
  const ends = [...code.matchAll(transition)].flatMap(([, from = '', to = '']) => [from, to]);
  const states = new Set(ends.filter((end) => end !== '[*]' && !helpers.includes(end)));
  expect([...states].sort()).toEqual([...pageStatus.options].sort());
});
