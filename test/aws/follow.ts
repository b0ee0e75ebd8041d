/** Follows the procedures of a document in the emulated account, with the commands that stand there. */

import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { Account } from '../../scripts/aws/account.ts';
import { commandOf } from '../../scripts/aws/tools.ts';
import { type Block, shellBlocks } from '../docs/blocks.ts';
import { runBlocks } from '../docs/session.ts';

/** What an operator puts into a procedure, by the name of the variable. */
export type Values = Readonly<Record<string, string>>;

/**
 * @param parts texts, each of which names the first block that contains it. The blocks run in this order
 * @returns what the blocks printed, one after the other
 * @throws Error where a block fails or does not exist, with what it printed
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
    if (found?.runs !== 'in the account') throw new Error(`${document} has no such block to run: ${part}`);
    return filledIn(found, values);
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

/** The block without the lines that set what the values set. */
function filledIn(block: Block, values: Values): Block {
  const lines = block.code.split('\n').filter((line) => {
    const name = /^(?:local )?([A-Z_]+)=/.exec(line)?.[1];
    return name === undefined || !(name in values);
  });
  return { ...block, code: lines.join('\n') };
}
