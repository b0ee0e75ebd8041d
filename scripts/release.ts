/**
 * `npm run release -- 0.2.0`: checks the changelog and the breaking changes since the last tag, sets the version everywhere,
 * commits and tags. It pushes nothing. docs/release.md describes a release.
 *
 *   npm run release -- 0.2.0 --dry-run   says what it would do, or why it would refuse
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  breaking,
  itemsIn,
  releasedChangelog,
  sectionOf,
  undeclared,
  versionIn,
} from './release/changelog.ts';
import { breakingChanges, installOasdiff } from './release/oasdiff.ts';
import { type Facts, type Report, refusals } from './release/refusals.ts';
import { inPresentForm, lastTag, releasedDocument } from './release/released.ts';
import { manifestsWith } from './release/set-version.ts';
import { readCommand, UsageError } from './shared/options.ts';
import { root } from './shared/root.ts';

const usage = 'Usage: npm run release -- VERSION [--dry-run]';

/** The parts of `npm run generate` whose files have the version. */
const generated = ['requests'];

const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** @param tag the last release; undefined before the first tag */
function reportSince(tag: string | undefined, changelog: string): Report {
  if (tag === undefined) return { breaking: 0, undeclared: [] };
  const released = releasedDocument();
  if (!released) return { unknown: `git cannot show openapi.json of ${tag}.` };
  // The tool is installed on first use, so it is not asked for nothing.
  if (released.text === read('openapi.json')) return { breaking: 0, undeclared: [] };
  const missing = installOasdiff();
  if (missing) return { unknown: `${missing}.` };
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    const before = join(folder, 'released.json');
    writeFileSync(before, inPresentForm(released.text));
    const changes = breakingChanges(before, resolve(root, 'openapi.json'));
    return { breaking: breaking(changes).length, undeclared: undeclared(changes, changelog) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of the last commit: a run that was killed may have left half of a file. */
const committedVersion = () => (JSON.parse(git('show', 'HEAD:package.json')) as { version: string }).version;

const isTagged = (version: string) => git('tag', '--list', `v${version}`) !== '';

const messageOf = (version: string) => `chore(release): ${version}`;

/** Whether a run ended between its commit and its tag. */
const lacksOnlyItsTag = (version: string) =>
  committedVersion() === version &&
  git('log', '-1', '--format=%s') === messageOf(version) &&
  git('branch', '--show-current') === 'main' &&
  git('status', '--porcelain') === '' &&
  !isTagged(version);

function tagRelease(version: string): void {
  git('tag', '--annotate', `v${version}`, '--message', version);
  console.log(`Nothing is pushed yet: git push --atomic origin main v${version}`);
}

function factsOf(version: string): Facts {
  const changelog = read('CHANGELOG.md');
  const tag = lastTag();
  const current = committedVersion();
  return {
    version,
    branch: git('branch', '--show-current'),
    isClean: git('status', '--porcelain') === '',
    isInterrupted: current !== version && read('package.json').includes(`"version": "${version}"`),
    last: tag?.slice(1) ?? current,
    isTagged: isTagged(version),
    items: itemsIn(versionIn(changelog, 'Unreleased')),
    breakingItems: itemsIn(sectionOf(changelog, 'Unreleased', 'Breaking')),
    report: reportSince(tag, changelog),
  };
}

function main(date: string): void {
  const { values, positionals } = readCommand({ 'dry-run': { type: 'boolean' } }, usage);
  const [version, ...others] = positionals;
  if (version === undefined || others.length > 0) throw new UsageError(usage);
  if (lacksOnlyItsTag(version)) {
    if (values['dry-run'])
      console.log(`The commit of ${version} is there, and would get the tag v${version}.`);
    else tagRelease(version);
    return;
  }
  const facts = factsOf(version);
  const reasons = refusals(facts);
  if (reasons.length > 0) throw new UsageError(reasons.join('\n'));

  const files = {
    ...manifestsWith(version, read),
    'CHANGELOG.md': releasedChangelog(read('CHANGELOG.md'), version, date),
  };
  const message = messageOf(version);
  const steps = [
    `write ${Object.keys(files).join(', ')}`,
    `run npm run generate -- ${generated.join(' ')}`,
    `commit "${message}"`,
    `tag v${version}`,
  ];
  if (values['dry-run']) {
    console.log(`The release of ${version} after ${facts.last} would\n  ${steps.join('\n  ')}`);
    return;
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(resolve(root, path), text);
  // A new process reads the new version.
  const generate = [resolve(root, 'scripts/generate.ts'), ...generated];
  const { status } = spawnSync(process.execPath, generate, { cwd: root, stdio: 'inherit' });
  if (status !== 0)
    throw new UsageError('Nothing is committed. `git restore .` undoes the changes of the files.');
  git('commit', '--quiet', '--all', '--message', message);
  tagRelease(version);
}

try {
  main(new Date().toISOString().slice(0, 10));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exit(1);
}
