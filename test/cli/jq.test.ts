/** `--jq`: messages are text of others, so in a terminal they lose their controls. */

import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startJq } from '../../cli/src/output/jq.ts';
import { useCli } from '../support/cli.ts';

const cli = useCli();
const hostile = 'a\u001b]0;title\u0007b\u009b2Jc\r\u001b[31md\u202e\u00e9';

/** What a terminal would get: jq in it, with these results. */
async function inTerminal(filter: string, lines: readonly string[]) {
  const [stdout, stderr] = [0, 1].map(() => Object.assign(new PassThrough(), { isTTY: true }));
  if (!stdout || !stderr) throw new Error('no streams');
  const jq = await startJq({ env: process.env, stdout, stderr }, filter);
  for (const line of lines) await jq.write(`${line}\n`);
  const ended = jq.end().finally(() => {
    stdout.end();
    stderr.end();
  });
  const [outcome, shown, errors] = await Promise.all([
    ended.then(
      () => undefined,
      (error: Error) => error.message,
    ),
    text(stdout),
    text(stderr),
  ]);
  return { outcome, shown, errors };
}

test('in a terminal, results have no controls', async () => {
  const results = Array.from({ length: 2000 }, () => JSON.stringify({ text: hostile }));
  const { outcome, shown } = await inTerminal('.text', results);
  expect(outcome).toBeUndefined();
  expect(shown).toContain('abcd\u00e9\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be missing
  expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(shown.split('\n')).toHaveLength(2001);
});

test('in a terminal, errors that quote results have no controls either', async () => {
  const { outcome, errors } = await inTerminal('.text | error', [JSON.stringify({ text: hostile })]);
  expect(outcome).toBe('jq failed with exit code 5.');
  expect(errors).toContain('abcd\u00e9');
  expect(errors).not.toContain('\u001b');
});

test('in a terminal, each result appears at once', { timeout: 20_000 }, async () => {
  const stdout = Object.assign(new PassThrough(), { isTTY: true });
  const jq = await startJq({ env: process.env, stdout, stderr: new PassThrough() }, '.text');
  await jq.write('{"text":"first"}\n');
  const [first] = await once(stdout, 'data');
  expect(`${first}`).toBe('first\n');
  await jq.end();
});

test('elsewhere, results are exact', async () => {
  const { conversations } = cli.project.project;
  const { id } = await conversations.create({ avatarId: 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' });
  await conversations.append(id, { messages: [{ role: 'user', text: hostile }] });
  const args = ['conversations', 'transcript', id, '--jq', '.text'];
  expect(await cli.runProcess(args, { env: cli.project.env })).toMatchObject({
    code: 0,
    stdout: `${hostile}\n`,
  });
});
