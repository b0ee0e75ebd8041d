/** `platform mcp` without a process of its own: what it answers to lines that are no messages. */

import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { serve } from '../../cli/src/mcp/mcp.ts';

/** @returns the lines that it prints, and what it says to people */
async function answersTo(...lines: string[]) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const problems: string[] = [];
  const served = serve({
    shell: { stdin, stdout },
    baseUrl: 'http://127.0.0.1:9/api/v1',
    bearer: async () => 'sk_test_x',
    version: '1.2.3',
    allowDestructive: false,
    onCall: () => {},
    onProblem: (sentence) => problems.push(sentence),
  });
  const ping = { jsonrpc: '2.0', id: 'last', method: 'ping' };
  stdin.write([...lines, JSON.stringify(ping), ''].join('\n'));
  const answers: Record<string, unknown>[] = [];
  for await (const line of createInterface({ input: stdout })) {
    answers.push(JSON.parse(line) as Record<string, unknown>);
    // The answer to the last line comes last.
    if (answers.at(-1)?.id === 'last') break;
  }
  stdin.end();
  await served;
  return { answers, problems };
}

test.each([
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]'],
  ['an empty batch', '[]'],
  ['another object', '{"hello":1}'],
  ['an id that is none', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
])('%s is an invalid request, and the next line is answered', async (_, line) => {
  const { answers, problems } = await answersTo(line);
  expect(answers).toMatchObject([
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_600, message: expect.stringContaining('Send each message') },
    },
    { id: 'last', result: {} },
  ]);
  expect(problems).toHaveLength(1);
});

test('a line that is not JSON is passed over', async () => {
  expect((await answersTo('hello')).answers).toMatchObject([{ id: 'last', result: {} }]);
});
