/**
 * `node scripts/release-files.ts FOLDER`: builds every file of a release from its tag. The release workflow uploads them, and
 * docs/release.md says what they are.
 *
 *   FOLDER/files       the source archive, the packages, the list of components, SHA256SUMS
 *   FOLDER/notes.md    the changes, from CHANGELOG.md
 *   FOLDER/npm         with --npm-scope @acme: the packages as npm gets them
 *   FOLDER/pypi        with --pypi-project acme-platform-api: the wheel as PyPI gets it
 *
 * An empty option is as good as none.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folderRelease } from '../lib/downloads/folder-release.ts';
import type { FileRelease } from '../lib/downloads/releases.ts';
import manifest from '../package.json' with { type: 'json' };
import { ensureDownloads } from './downloads/build.ts';
import { versionIn } from './release/changelog.ts';
import { checksums } from './release/checksums.ts';
import { checkProject, checkScope, packForNpm, wheelForPypi } from './release/registries.ts';
import { type Sbom, settledSbom } from './release/sbom.ts';
import { readCommand, UsageError } from './shared/options.ts';
import { root } from './shared/root.ts';

const usage = 'Usage: node scripts/release-files.ts FOLDER [--npm-scope @SCOPE] [--pypi-project NAME]';

const { version } = manifest;

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });

function checkTag(): void {
  if (run('git', 'status', '--porcelain') !== '')
    throw new UsageError('The tree has changes that are not committed.');
  const tags = run('git', 'tag', '--points-at', 'HEAD').split('\n');
  if (!tags.includes(`v${version}`)) throw new UsageError(`This commit does not have the tag v${version}.`);
}

/** The files that a deployment of this commit serves. */
async function packages(files: string): Promise<FileRelease> {
  const built = await ensureDownloads();
  const release = await folderRelease(built).release();
  for (const { file } of release.files) cpSync(join(built, file), join(files, file));
  return release;
}

function components(): string {
  const sbom = run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only');
  const committedMs = Date.parse(run('git', 'show', '--no-patch', '--format=%cI', 'HEAD').trim());
  return `${JSON.stringify(settledSbom(JSON.parse(sbom) as Sbom, committedMs), null, 2)}\n`;
}

async function build(out: string, scope: string, project: string): Promise<void> {
  const files = join(out, 'files');
  mkdirSync(files, { recursive: true });
  const name = `platform-api-${version}`;
  run(
    'git',
    'archive',
    '--format=tar.gz',
    `--prefix=${name}/`,
    '--output',
    join(files, `${name}.tar.gz`),
    'HEAD',
  );
  const release = await packages(files);
  writeFileSync(join(files, `${name}.cdx.json`), components());
  const bytes = readdirSync(files).map((file) => [file, readFileSync(join(files, file))] as const);
  writeFileSync(join(files, 'SHA256SUMS'), checksums(Object.fromEntries(bytes)));
  const changes = versionIn(readFileSync(resolve(root, 'CHANGELOG.md'), 'utf8'), version);
  writeFileSync(join(out, 'notes.md'), `${changes}\n`);

  if (scope !== '') {
    mkdirSync(join(out, 'npm'));
    for (const { file, kind } of release.files)
      if (kind !== 'python') await packForNpm(join(files, file), join(out, 'npm'), scope, version);
  }
  if (project !== '') wheelForPypi(join(out, 'pypi'), `0${release.version.split('-')[1]}`, project);
}

async function main(): Promise<void> {
  const string = { type: 'string', default: '' } as const;
  const { values, positionals } = readCommand({ 'npm-scope': string, 'pypi-project': string }, usage);
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new UsageError(usage);
  const { 'npm-scope': scope, 'pypi-project': project } = values;
  if (scope !== '') checkScope(scope);
  if (project !== '') checkProject(project);
  const out = resolve(folder);
  if (existsSync(out) && readdirSync(out).length > 0) throw new UsageError(`${folder} is not empty.`);
  checkTag();
  await build(out, scope, project);
  for (const file of readdirSync(join(out, 'files'))) console.log(file);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exit(1);
}
