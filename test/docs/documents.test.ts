/**
 * Runs every shell block of the documents verbatim in a fresh clone: with the dev server that README.md starts, or in
 * an emulated AWS account. blocks.ts describes the markers of blocks that cannot run.
 */

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../scripts/local/port.ts';
import { root } from '../../scripts/shared/root.ts';
import { type Account, startAccount } from '../support/aws-account.ts';
import { type Block, documents, shellBlocks } from './blocks.ts';
import { cloneProject, newcomersEnvironment, removeClone, type Server, startServer } from './clone.ts';
import { type Result, runBlocks } from './session.ts';

const read = documents.map((name) => ({
  name,
  blocks: shellBlocks(readFileSync(resolve(root, name), 'utf8')),
}));

/** Each document follows an account of its own, which takes minutes. test/aws follows the same commands at each change. */
const parts = read.flatMap(({ name, blocks }) => {
  if (['docs/runbook.md', 'docs/restore.md'].includes(name)) return [{ name, blocks, tags: ['nightly'] }];
  const { true: deployed = [], false: others = [] } = Object.groupBy(
    blocks,
    ({ runs }) => `${runs === 'in the account'}` as const,
  );
  return [
    { name, blocks: others, tags: [] },
    { name: `${name}, in the account`, blocks: deployed, tags: ['nightly'] },
  ];
});
const withBlocks = parts.filter(({ blocks }) => blocks.length > 0);

let folder: string;
let env: Record<string, string>;
let server: Server | undefined;
let account: Account | undefined;

beforeAll(async () => {
  folder = cloneProject();
  env = await newcomersEnvironment(join(folder, '../bin'));
}, 600_000);

afterAll(async () => {
  await Promise.all([server?.stop(), account?.stop()]);
  if (folder) removeClone(folder);
}, 600_000);

const firstCommand = ({ code }: Block) =>
  code.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
const titled = (blocks: readonly Block[]) =>
  blocks.map((block, index) => {
    const reason = block.reason ? ` (${block.reason})` : '';
    return [`line ${block.line}: ${firstCommand(block).slice(0, 70)}${reason}`, block, index] as const;
  });

test('only README.md starts the dev server', async () => {
  const starts = read.flatMap(({ name, blocks }) =>
    blocks.filter(({ runs }) => runs === 'as the dev server').map(({ code }) => ({ name, code })),
  );
  expect(starts.map(({ name }) => name)).toEqual(['README.md']);
  server = await startServer(starts[0]?.code ?? '', folder, env);
}, 400_000);

describe.each(withBlocks)('$name', ({ blocks, tags }) => {
  let results: Result[];

  beforeAll(async () => {
    if (!account && blocks.some(({ runs }) => runs === 'in the account')) {
      account = await startAccount(await freePort());
    }
    // Nobody can approve the changes to roles that a deploy shows. The templates are checked once, by `cdk synth` in the runbook.
    const accountEnv = { ...account?.env, CDK_REQUIRE_APPROVAL: 'never', CDK_VALIDATION: 'false' };
    results = await runBlocks(blocks, { folder, env, accountEnv, timeoutSeconds: 3600 });
  }, 3_700_000);

  const all = titled(blocks).filter(([, { runs }]) => runs !== 'as the dev server');
  const skipped: readonly Block['runs'][] = ['nowhere', 'after a deletion'];
  test.each(all.filter(([, { runs }]) => !skipped.includes(runs)))('%s', { tags }, (_, __, index) => {
    expect(results[index]?.state, results[index]?.output).toBe('passed');
  });
  test.skip.each(all.filter(([, { runs }]) => skipped.includes(runs)))('%s', { tags }, () => {});
});
