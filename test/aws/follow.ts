/** Follows the procedures of a document in the emulated account, with its own commands. */

import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { commandOf } from '../../scripts/shared/tools.ts';
import { type Block, shellBlocks } from '../docs/blocks.ts';
import { runBlocks } from '../docs/session.ts';
import type { Account } from '../support/aws-account.ts';

/** The values that an operator sets in a procedure, by variable. */
export type Values = Readonly<Record<string, string>>;

const runnable: readonly Block['runs'][] = ['in the account', 'after a deletion'];

/**
 * @param parts texts; each selects the first block that contains it. The blocks run in this order
 * @returns the output of the blocks
 * @throws Error with the output if a block fails or does not exist
 */
export async function follow(
  account: Account,
  document: string,
  values: Values,
  ...parts: string[]
): Promise<string> {
  const blocks = shellBlocks(readFileSync(document, 'utf8'));
  const chosen = parts.map((part) => {
    const found = blocks.find(({ code }) => code.includes(part));
    if (!found || !runnable.includes(found.runs)) throw new Error(`${document} has no such block: ${part}`);
    return { ...filledIn(found, values), runs: 'in the account' as const };
  });
  const folder = mkdtempSync(join(tmpdir(), 'follow-'));
  try {
    for (const [name, target] of Object.entries({
      aws: commandOf('aws'),
      jq: commandOf('jaq'),
      curl: resolve('test/docs/curl'),
    })) {
      symlinkSync(target, join(folder, name));
    }
    const path = [folder, resolve('node_modules/.bin'), process.env.PATH].join(delimiter);
    const results = await runBlocks(chosen, {
      folder: resolve('.'),
      env: { ...(process.env as Record<string, string>), ...values, PATH: path },
      accountEnv: { ...account.env, CDK_REQUIRE_APPROVAL: 'never' },
      timeoutSeconds: 1500,
    });
    const failed = results.find(({ state }) => state !== 'passed');
    if (failed) throw new Error(`${document}:\n${failed.output}`);
    return results.map(({ output }) => output).join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The block without the lines that set these variables. */
function filledIn(block: Block, values: Values): Block {
  const lines = block.code.split('\n').filter((line) => {
    const name = /^(?:local )?([A-Z_]+)=/.exec(line)?.[1];
    return name === undefined || !(name in values);
  });
  return { ...block, code: lines.join('\n') };
}
