/** The commit that is deployed. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { usageError } from '../errors.ts';
import type { Shell } from '../shell.ts';

/** The variables in which CI services name the branch or tag. */
const variables = [
  'GITHUB_REF_NAME',
  'CI_COMMIT_REF_NAME',
  'BITBUCKET_BRANCH',
  'CIRCLE_BRANCH',
  'BUILDKITE_BRANCH',
];

/**
 * @returns the commit with its branch or tag: `--ref`, what CI says, or the branch of the current folder
 * @throws CliError if the branch or tag is not known
 */
export async function gitFrom(
  { env, cwd }: Pick<Shell, 'env' | 'cwd'>,
  { sha, ref }: { sha?: string | undefined; ref?: string | undefined },
): Promise<{ sha: string; ref: string } | undefined> {
  if (sha === undefined && ref !== undefined) throw usageError('--ref needs --sha.');
  if (sha === undefined) return undefined;
  const refName = ref ?? variables.map((name) => env[name]).find(Boolean) ?? (await branch(cwd));
  if (refName === undefined) throw usageError('Which branch or tag is this commit of? Add --ref.');
  return { sha, ref: refName };
}

async function branch(cwd: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', ['symbolic-ref', '--short', 'HEAD'], { cwd });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
