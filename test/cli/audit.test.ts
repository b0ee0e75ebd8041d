/** The audit log on the command line. */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import auditWriter from '../../workers/audit-writer.ts';
import { jsonLines, useCli } from '../support/cli.ts';

const cli = useCli({ workers: [auditWriter] });
const run = (...args: string[]) => cli.run(args, { env: cli.project.env });
const json = async (...args: string[]) => jsonLines(await run(...args, '--json'));

/** @returns the id of a new project, when the log has it */
async function changed(name: string): Promise<string> {
  const [{ id } = {}] = await json('projects', 'create', '--name', name);
  while ((await json('audit', 'list', '--resource', `${id}`)).length === 0);
  return `${id}`;
}

test('list, get and export', { tags: ['long'] }, async () => {
  const id = await changed('first');
  await run('projects', 'update', id, '--name', 'second');
  const list = ['audit', 'list', '--resource', id, '--from', 'today'];
  while ((await json(...list)).length < 2);
  const [update, creation] = await json(...list);
  expect([update?.action, creation?.action]).toEqual(['projects.update', 'projects.create']);
  expect(update).toMatchObject({ changes: { before: { name: 'first' }, after: { name: 'second' } } });
  expect(await json('audit', 'get', `${update?.id}`)).toEqual([update]);
  expect((await run(...list)).stdout).toMatch(new RegExp(`projects.update +${id} +name`));
  const file = join(cli.home, 'events.jsonl');
  const exported = await json('audit', 'export', '--resource', id, '-o', file);
  expect(exported).toEqual([{ file, events: 2 }]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([update, creation]);
  expect(jsonLines(await run('audit', 'export', '--resource', id))).toEqual([update, creation]);
});

test('tail prints each new event once, and none from before, until it is interrupted', {
  tags: ['long'],
}, async () => {
  await changed('before');
  const tail = cli.start(['audit', 'tail', '--interval', '1', '--action', 'projects.create', '--json'], {
    env: cli.project.env,
  });
  const printed = () => jsonLines(tail.shown()).map(({ resource }) => Object(resource).id);
  const made: string[] = [];
  // Until it has begun, it does not print what happens.
  while (printed().length === 0) made.push(await changed('during'));
  const first = made.indexOf(printed()[0]);
  made.push(await changed('later'), await changed('last'));
  await expect.poll(printed).toContain(made.at(-1));
  tail.interrupt();
  expect(await tail.ended).toMatchObject({ code: 130 });
  expect(first).toBeGreaterThanOrEqual(0);
  expect(printed()).toEqual(made.slice(first));
});
