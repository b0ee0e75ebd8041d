/** Tests the runner of shell blocks itself. */

import { describe, expect, test } from 'vitest';
import { shellBlocks } from './blocks.ts';
import { runBlocks } from './session.ts';

const block = (...lines: string[]) => ['```sh', ...lines, '```'].join('\n');
const run = (...documents: string[]) =>
  runBlocks(shellBlocks(documents.join('\n')), {
    folder: '/',
    env: { PATH: process.env.PATH ?? '' },
    accountEnv: { AWS_REGION: 'nowhere-1', WITH: "it's" },
    timeoutSeconds: 10,
  });
const states = async (...documents: string[]) => (await run(...documents)).map(({ state }) => state);

describe('a document', () => {
  test('finds shell blocks with their lines, also indented in a list', () => {
    const text = [
      'text',
      block('one'),
      '',
      '   ```sh',
      '   two \\',
      '     more',
      '   ```',
      '```ts',
      'no',
      '```',
    ];
    expect(shellBlocks(text.join('\n'))).toMatchObject([
      { line: 2, code: 'one\n', runs: 'on the dev server' },
      { line: 6, code: 'two \\\n  more\n', runs: 'on the dev server' },
    ]);
  });

  test.each([
    ['# Keeps running: use another terminal for the rest.', 'as the dev server'],
    ['# Needs an AWS account.', 'in the account'],
    ['# Needs a deleted stack.', 'after a deletion'],
    ['# Needs a real AWS account: the emulator has no backups.', 'nowhere'],
    ['# Needs Docker.', 'nowhere'],
    ['# Not run by CI: an example.', 'nowhere'],
    ['# A comment about an AWS account.', 'on the dev server'],
  ])('%s runs %s', (first, runs) => {
    expect(shellBlocks(block(first, 'true'))).toMatchObject([{ runs }]);
  });

  test.each([
    ['a marker that there is not', block('# Needs an aws account', 'true')],
    ['a marker without its reason', block('# Needs a real AWS account', 'true')],
    ['a block that is not run, without a reason', block('# Not run by CI', 'true')],
    ['a shell block of another name', '```bash\ntrue\n```'],
    ['a fence that is not closed', '```sh\ntrue'],
  ])('%s is refused', (_, text) => {
    expect(() => shellBlocks(text)).toThrow(/^line \d+: /);
  });
});

describe('a block', () => {
  test('has the variables, functions and folder of earlier blocks', async () => {
    expect(
      await states(block('A=1; f() { [ "$A" = 1 ]; }', 'cd /tmp'), block('f', '[ "$PWD" = /tmp ]')),
    ).toEqual(['passed', 'passed']);
  });

  test.each([
    ['a command fails', block('false', 'true')],
    ['a command in a pipeline fails', block('false | cat')],
    ['a command in an assignment fails', block('A=$(false | cat)')],
    ['a variable is not defined', block('echo "$NOWHERE"')],
    ['a variable is what jq prints for nothing', block('ID=$(echo null)')],
    ['a response is an error', block(`echo '{"success":false,"error":{"code":"not_found"}}'`)],
    ['it ends the shell', block('exit 0')],
    ['an announced error does not come', block('# Refused: 403 insufficient_scope.', 'echo fine')],
  ])('fails when %s', async (_, document) => {
    expect(await states(document)).toEqual(['failed']);
  });

  test('stops later blocks when it fails', async () => {
    expect(await states(block('true'), block('false'), block('true'))).toEqual([
      'passed',
      'failed',
      'not reached',
    ]);
  });

  test('passes with an error that its comment announces', async () => {
    const error = `printf '{ "success": false,\\n "error": { "code": "insufficient_scope" } }'`;
    expect(await states(block('# It is refused: 403 insufficient_scope.', error))).toEqual(['passed']);
  });

  test('sees the account only if it needs one', async () => {
    const document = [
      block('[ "$(printenv AWS_REGION || echo none)" = none ]'),
      block('# Needs an AWS account.', '[ "$AWS_REGION $WITH" = "nowhere-1 it\'s" ]'),
      block('[ "$(printenv AWS_REGION || echo none)" = none ]'),
      block('# Needs Docker.', 'false'),
    ];
    expect(await states(...document)).toEqual(['passed', 'passed', 'passed', 'skipped']);
  });

  test('does not wait for input, and is stopped if it takes too long', async () => {
    const settings = {
      folder: '/',
      env: { PATH: process.env.PATH ?? '' },
      accountEnv: {},
      timeoutSeconds: 1,
    };
    const results = await runBlocks(shellBlocks(`${block('cat')}\n${block('sleep 60')}`), settings);
    expect(results).toMatchObject([
      { state: 'passed' },
      { state: 'failed', output: expect.stringContaining('1 s') },
    ]);
  });
});
