/**
 * `npm run release -- 0.2.0`: sets the version everywhere, gives the unreleased changes in CHANGELOG.md to it, generates, commits and
 * tags. It pushes nothing. docs/versioning.md says what it refuses.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { readWords, runCommand, UsageError } from './shared/options.ts';
import { root } from './shared/root.ts';

const usage = 'Usage: npm run release -- 0.2.0';

const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
const write = (path: string, text: string) => writeFileSync(resolve(root, path), text);
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

type Version = [major: number, minor: number, patch: number];

/** @returns undefined for anything but three numbers: a download adds its commit as a pre-release */
function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch] = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/.exec(text) ?? [];
  return patch === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

/** @returns every reason, so that one run shows all of them; empty if the release may be made */
function refusals(version: string, changelog: string): string[] {
  const reasons: string[] = [];
  const branch = run('git', 'branch', '--show-current');
  const [, unreleased = ''] = /^## Unreleased\n([\s\S]*?)(?=^## )/m.exec(changelog) ?? [];
  const [, breaking = ''] = /^### Breaking\n([\s\S]*?)(?=^### |$(?![\s\S]))/m.exec(unreleased) ?? [];
  if (run('git', 'status', '--porcelain')) reasons.push('The tree has changes that are not committed.');
  if (branch !== 'main') reasons.push(`A release is made on main, not on ${branch || 'a detached HEAD'}.`);
  if (run('git', 'tag', '--list', `v${version}`)) reasons.push(`There is already a tag v${version}.`);
  if (!/^\* /m.test(unreleased)) reasons.push('"Unreleased" in CHANGELOG.md has no items.');
  const [next, last] = [parseVersion(version), parseVersion(manifest.version)];
  if (!next || !last) return [...reasons, `"${version}" is not a version such as 0.2.0.`];
  const place = next.findIndex((number, at) => number !== last[at]);
  if (place < 0 || Number(next[place]) < Number(last[place]))
    reasons.push(`${version} is not greater than ${manifest.version}, the last release.`);
  // Before 1.0.0, a greater second number may break callers.
  const [breakingPlace, name] = last[0] === 0 ? [1, 'minor'] : [0, 'major'];
  if (/^\* /m.test(breaking) && place > breakingPlace)
    reasons.push(
      `There are breaking changes since ${manifest.version}, so ${version} needs a greater ${name} version.`,
    );
  return reasons;
}

/** Sets the version of the packages of the repository, which are in the lock file, too. npm itself would install them. */
function setVersion(version: string): void {
  const folders = ['', ...manifest.workspaces];
  for (const path of folders.map((folder) => join(folder, 'package.json')))
    write(path, read(path).replace(/^ {2}"version": ".*"/m, `  "version": "${version}"`));
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, object> };
  for (const folder of folders) Object.assign(lock.packages[folder] ?? {}, { version });
  write('package-lock.json', `${JSON.stringify({ ...lock, version }, null, 2)}\n`);
}

await runCommand(() => {
  const [version, ...others] = readWords(usage);
  if (version === undefined || others.length > 0) throw new UsageError(usage);
  const changelog = read('CHANGELOG.md');
  const reasons = refusals(version, changelog);
  if (reasons.length > 0) throw new UsageError(reasons.join('\n'));

  setVersion(version);
  const date = new Date().toISOString().slice(0, 10);
  const heading = `## Unreleased\n\n### Breaking\n\nNothing.\n\n## ${version} (${date})\n`;
  write(
    'CHANGELOG.md',
    changelog.replace('## Unreleased\n', () => heading),
  );
  // A new process reads the new version. This part has all files with the version.
  run(process.execPath, 'scripts/generate.ts', 'requests');
  run('git', 'commit', '--quiet', '--all', '--message', `chore(release): ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', version);
  console.log(`Nothing is pushed yet: git push --atomic origin main v${version}`);
});
