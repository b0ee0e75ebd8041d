/** `platform scores`. */

import { beforeAll, expect, test } from 'vitest';
import type { ScoreOutput } from '../../clients/typescript/src/index.ts';
import { jsonLines, useCli } from '../support/cli.ts';

const cli = useCli();
let id: string;

const run = (...args: string[]) => cli.run(args, { env: cli.project.env });
const scores = (...args: string[]) => run('scores', ...args);

beforeAll(async () => {
  const { conversations, evaluators } = cli.project.project;
  const outputs: Record<string, ScoreOutput> = {
    solved: { type: 'boolean' },
    csat: { type: 'number', min: -5, max: 5 },
    level: { type: 'category', values: ['1', '2', 'true'] },
    note: { type: 'text' },
    reasons: {
      type: 'object',
      schema: { type: 'object', properties: { late: { type: 'boolean' } }, required: ['late'] },
    },
  };
  for (const [name, output] of Object.entries(outputs))
    await evaluators.create({ name, kind: 'external', output });
  ({ id } = await conversations.create({ avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' }));
  await conversations.append(id, {
    messages: [
      { role: 'user', text: 'Where is my order?' },
      { role: 'avatar', text: 'On its way.' },
    ],
  });
});

test.each([
  ['solved', 'true', true],
  ['csat', '4.5', 4.5],
  ['csat', '-2', -2],
  // A category may look like JSON.
  ['level', '2', '2'],
  ['level', 'true', 'true'],
  ['note', 'It was late.', 'It was late.'],
  ['note', 'null', 'null'],
  ['note', '"quoted"', 'quoted'],
  ['note', '{"late":true}', '{"late":true}'],
  ['reasons', '{"late":true}', { late: true }],
])('set %s %s', async (name, text, value) => {
  const ran = await scores('set', '--json', id, name, ...(text.startsWith('-') ? ['--', text] : [text]));
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(jsonLines(ran)).toMatchObject([{ name, value, source: 'api', effective: true }]);
});

test('a value that does not fit is refused, and the error is about what was typed', async () => {
  const number = await scores('set', id, 'csat', '9');
  expect(number).toMatchObject({ code: 2, stdout: '' });
  expect(number.stderr).toContain('at most 5');
  expect(await scores('set', id, 'solved', 'maybe')).toMatchObject({ code: 2 });
  expect(await scores('set', id, 'nobody', 'true')).toMatchObject({ code: 4 });
  expect(await scores('set', id, '../x', 'true')).toMatchObject({ code: 2 });
  expect(await scores('set', id, 'solved', 'true', '--evidence', '3')).toMatchObject({ code: 2 });
  expect(await scores('set', id, 'solved', 'true', '--evidence', '1, 2')).toMatchObject({ code: 2 });
});

test('a person counts more, and the list shows which score is effective', async () => {
  await scores('set', id, 'solved', 'true');
  const set = [
    'set',
    id,
    'solved',
    'false',
    '--source',
    'human',
    '--evidence',
    '1,2',
    '--rationale',
    'Still late.',
  ];
  const first = jsonLines(await scores(...set, '--json'));
  expect(first).toMatchObject([{ source: 'human', evidence: [1, 2], rationale: 'Still late.' }]);
  // Nothing changes.
  expect(jsonLines(await scores(...set, '--json'))).toEqual(first);

  const listed = jsonLines(await scores('list', id, '--json')).filter(({ name }) => name === 'solved');
  expect(listed.map(({ value, source, effective }) => [value, source, effective])).toEqual([
    [false, 'human', true],
    [true, 'api', false],
  ]);
  const table = await scores('list', id);
  expect(table.stdout).toMatch(/^NAME +VALUE +SOURCE +VERSION +EFFECTIVE/);
  expect(table.stdout).toMatch(/^solved +false +human +1 +yes +#1 #2 +Still late\./m);
  const [conversation] = jsonLines(await run('conversations', 'get', id, '--json'));
  expect(conversation?.scores).toContainEqual(expect.objectContaining({ name: 'solved', value: false }));
});

test('evaluators are named by their names', async () => {
  const listed = await run('evaluators', 'list');
  expect(listed.stdout).toMatch(/^eval_\w+ +csat +external +number +active +1/m);
  const changed = await run('evaluators', 'update', 'csat', '--status', 'archived', '--json');
  expect(jsonLines(changed)).toMatchObject([{ name: 'csat', status: 'archived', version: 2 }]);
  expect(jsonLines(await run('evaluators', 'versions', 'csat', '--json'))).toMatchObject([
    { version: 2 },
    { version: 1 },
  ]);
  expect(jsonLines(await run('evaluators', 'version', 'csat', '1', '--json'))).toMatchObject([
    { status: 'active' },
  ]);
  const { stderr, code } = await run('evaluators', 'get', 'nobody');
  expect([code, stderr]).toEqual([4, expect.stringContaining('There is no evaluator')]);
});
