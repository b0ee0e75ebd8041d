/** The commit of a folder, which `/health` and every line of the log name. */

import { execFileSync } from 'node:child_process';
import { unknownCommit } from '../../lib/base/version.ts';

const digits = 12;

/**
 * @param except files that may differ from the commit
 * @returns the first digits of the commit, with `-dirty` if files differ from it; `unknown` without git
 */
export function commitOf(folder: string, except: readonly string[] = []): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    // A clone inside another repository would name that one.
    if (git('rev-parse', '--show-prefix') !== '') return unknownCommit;
    const commit = git('rev-parse', 'HEAD').slice(0, digits);
    const others = except.map((file) => `:(exclude)${file}`);
    return git('status', '--porcelain', '--', '.', ...others) === '' ? commit : `${commit}-dirty`;
  } catch {
    return unknownCommit;
  }
}
