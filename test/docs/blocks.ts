/**
 * The shell blocks of a document, and what CI does with each. The first line of a block can be a marker:
 *
 *   # Keeps running …                the command that starts the dev server; CI starts it once
 *   # Needs an AWS account …         runs in the emulated account
 *   # Needs a deleted stack …        runs in the emulated account, in a test that deletes one (test/aws)
 *   # Needs a real AWS account: …    the emulator cannot do it; the text says why. Not run
 *   # Needs Docker …                 not run
 *   # Not run by CI: …               the text says why
 *
 * A block without a marker runs against the dev server.
 */

import { globSync } from 'node:fs';
import { root } from '../../scripts/shared/root.ts';

/** The documents whose shell blocks run. Those of the packages are last, because they log in. */
export const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.md', { cwd: root }).sort(),
  'clients/typescript/README.md',
  'clients/python/README.md',
  'cli/README.md',
];

export type Block = {
  /** The line of the opening fence, from 1. */
  line: number;
  code: string;
  runs: 'on the dev server' | 'as the dev server' | 'in the account' | 'after a deletion' | 'nowhere';
  /** The marker's text, where the block is not run. */
  reason?: string;
  /** Error codes that the block's comments announce, such as `# … 403 insufficient_scope`. Sorted, each once. */
  announcedErrors: string[];
};

/**
 * @param text a document in Markdown
 * @throws Error for a shell block in another language than `sh`, an unknown marker, a marker without its reason, and a
 *   fence that is not closed
 */
export function shellBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const opening = /^(\s*)(```+)\s*(\S*)/.exec(lines[index] ?? '');
    if (!opening) continue;
    const [, indent = '', fence = '', language = ''] = opening;
    const end = lines.findIndex((line, at) => at > index && line.trim() === fence);
    if (end < 0) throw new Error(`line ${index + 1}: the fence is not closed`);
    if (/^(bash|shell|zsh|console)$/.test(language)) {
      throw new Error(`line ${index + 1}: call it sh, as all other shell blocks`);
    }
    if (language === 'sh') {
      const code = lines.slice(index + 1, end).map((line) => line.replace(indent, ''));
      blocks.push({
        line: index + 1,
        code: `${code.join('\n')}\n`,
        ...kindOf(code[0] ?? '', index + 2),
        announcedErrors: announcedErrors(code),
      });
    }
    index = end;
  }
  return blocks;
}

function kindOf(first: string, line: number): Pick<Block, 'runs' | 'reason'> {
  if (first.startsWith('# Keeps running')) return { runs: 'as the dev server' };
  if (first.startsWith('# Needs an AWS account')) return { runs: 'in the account' };
  if (first.startsWith('# Needs a deleted stack')) return { runs: 'after a deletion' };
  const reason = /^# (Needs Docker.*|(?:Needs a real AWS account|Not run by CI): .+)/.exec(first)?.[1];
  if (reason !== undefined) return { runs: 'nowhere', reason };
  if (/^# *(needs |not run|keeps running)/i.test(first)) {
    throw new Error(`line ${line}: "${first}" is not a marker; docs/testing.md has the list`);
  }
  return { runs: 'on the dev server' };
}

function announcedErrors(code: readonly string[]): string[] {
  const comments = code.map((line) => /(?:^|\s)#.*$/.exec(line)?.[0] ?? '').join('\n');
  return [
    ...new Set([...comments.matchAll(/\b[45]\d\d `?([a-z]+(?:_[a-z]+)*)/g)].map(([, code]) => code ?? '')),
  ].sort();
}
