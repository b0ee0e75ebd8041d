/** Breaking changes of the OpenAPI document since the last release, found by oasdiff (https://www.oasdiff.com), which Go installs. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../../scripts/shared/root.ts';

/** A breaking change, as `oasdiff breaking --format json` reports it. */
export type BreakingChange = {
  /** Its kind, such as `api-removed-without-deprecation`. */
  id: string;
  text: string;
  /** 1: information, 2: perhaps breaking, 3: breaking. */
  level: number;
  operation: string;
  path: string;
};

const version = 'v1.31.0';
const folder = resolve(root, `.local/tools/oasdiff-${version}`);
const command = resolve(folder, 'oasdiff');

/** @returns why oasdiff cannot run here; undefined if it can */
export function installOasdiff(): string | undefined {
  if (existsSync(command)) return undefined;
  const go = ['go', '/usr/local/go/bin/go'].find((path) => spawnSync(path, ['version']).status === 0);
  if (!go) return 'Go is not installed';
  const { status, stderr } = spawnSync(go, ['install', `github.com/oasdiff/oasdiff@${version}`], {
    env: { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' },
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `Go cannot install oasdiff: ${stderr.trim().split('\n').at(-1)}`;
}

/** @returns the changes from one file to the other that may break a client */
export function breakingChanges(before: string, after: string): BreakingChange[] {
  const options = ['breaking', before, after, '--format', 'json'];
  const { status, stdout, stderr } = spawnSync(command, options, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as BreakingChange[];
}

const git = (...args: string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return status === 0 ? stdout : undefined;
};

/** Before the first tag, it is what main had before these commits: of a commit on main itself, the one before it. */
function lastRelease(): string | undefined {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*')?.trim();
  if (tag) return tag;
  const head = git('rev-parse', 'HEAD')?.trim();
  const base = git('merge-base', 'HEAD', 'origin/main')?.trim();
  return base && base !== head ? base : git('rev-parse', '--verify', 'HEAD~1')?.trim();
}

/** @returns where the document is from, and its text; undefined if git has no history here, as in a shallow clone */
export function releasedDocument(): { from: string; text: string } | undefined {
  const from = lastRelease();
  const text = from && git('show', `${from}:openapi.json`);
  return from && text ? { from, text } : undefined;
}

/** docs/versioning.md allows new scopes, which existing keys do not get. */
const isNewScope = ({ id, text }: BreakingChange): boolean =>
  id === 'response-property-enum-value-added' && text.includes('/scopes/items/`');

/** It also allows new types of jobs, which have results of their own. */
const isNewResult = ({ id, text }: BreakingChange): boolean =>
  id === 'response-property-any-of-added' && /`data\/[^`]{0,200}result\/anyOf/.test(text);

/** New types of events. A webhook gets only the types that it asks for, and a reader of events ignores the types that it does not know. */
const isNewEventType = ({ id, path, text }: BreakingChange): boolean =>
  (id === 'response-property-enum-value-added' && text.includes('/eventTypes/items/`')) ||
  (id === 'response-property-one-of-added' && path.startsWith('/events'));

/** New fields in the data of an event, of which oasdiff sees the request to a webhook. */
const isNewEventField = ({ id, path }: BreakingChange): boolean =>
  /^new-required-request-property(-with-default)?$/.test(id) && path.startsWith('webhook:');

const allowed = [isNewScope, isNewResult, isNewEventType, isNewEventField];

/** @returns the changes that break what docs/versioning.md promises */
export const breaking = (changes: readonly BreakingChange[]): BreakingChange[] =>
  changes.filter((change) => change.level === 3 && !allowed.some((isAllowed) => isAllowed(change)));

/** @returns the items under "Breaking" of the unreleased version */
export const declaredIn = (changelog: string): string[] =>
  (/^## Unreleased\n\n### Breaking\n([\s\S]*?)(?=^##)/m.exec(changelog)?.[1] ?? '').split(/^\* /m);

/**
 * @returns the breaking changes that no item under "Breaking" of the unreleased version declares: an item names the operation
 *   (`GET /projects`) and the kind of the change
 */
export function undeclared(changes: readonly BreakingChange[], changelog: string): string[] {
  const items = declaredIn(changelog);
  return breaking(changes)
    .filter(({ id, operation, path }) => {
      const names = [`\`${operation} ${path}\``, `\`${id}\``];
      return !items.some((item) => names.every((name) => item.includes(name)));
    })
    .map(({ id, operation, path, text }) => `* \`${operation} ${path}\`, \`${id}\`: ${text}`);
}
