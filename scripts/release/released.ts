/** The OpenAPI document of the last release, as git has it. */

import { spawnSync } from 'node:child_process';
import { namePattern } from '../../lib/schema/text.ts';
import { withReadableNull } from '../openapi/nullable.ts';
import { portablePattern } from '../openapi/patterns.ts';
import type { Json } from '../openapi/schemas.ts';
import { root } from '../shared/root.ts';

const git = (...args: string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return status === 0 ? stdout : undefined;
};

/** @returns the tag of the last release, such as `v0.2.0`; undefined before the first tag */
export const lastTag = (): string | undefined =>
  git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*')?.trim();

/** Before the first tag, it is what main had before these commits: of a commit on main itself, the one before it. */
function lastRelease(): string | undefined {
  const tag = lastTag();
  if (tag) return tag;
  const head = git('rev-parse', 'HEAD')?.trim();
  const base = git('merge-base', 'HEAD', 'origin/main')?.trim();
  return base && base !== head ? base : git('rev-parse', '--verify', 'HEAD~1')?.trim();
}

/** @returns where it is from, and its text; undefined if git has no history here, as in a shallow clone */
export function releasedDocument(): { from: string; text: string } | undefined {
  const from = lastRelease();
  const text = from && git('show', `${from}:openapi.json`);
  return from && text ? { from, text } : undefined;
}

/**
 * @returns the document of a release in the present form. 0.1.0 has patterns that not every language compiles, references that
 *   generators do not take for nullable, and `const` of `success`. What the service checks and answers is the same
 */
export const inPresentForm = (document: string): string =>
  JSON.stringify(
    withReadableNull(
      JSON.parse(document, (key, value: unknown) => {
        if (key === 'const' && typeof value === 'boolean') return undefined;
        return key === 'pattern' && typeof value === 'string'
          ? (portablePattern(value) ?? namePattern)
          : value;
      }) as Json,
    ),
  );
