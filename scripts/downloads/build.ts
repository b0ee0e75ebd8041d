/**
 * Builds what a deployment offers for download: the packages of the command line and of the clients, and release.json, which
 * describes them. The same commit gives the same bytes.
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { releaseFile } from '../../lib/downloads/downloads.ts';
import type { DownloadFile, DownloadKind, FileRelease } from '../../lib/downloads/releases.ts';
import manifest from '../../package.json' with { type: 'json' };
import { ensureDerived } from '../openapi/derived.ts';
import { commitOf } from '../shared/commit.ts';
import { root } from '../shared/root.ts';
import { pythonWheel } from './python-client.ts';

/** API Gateway streams more, but a function holds the whole file in its memory. */
const maxBytes = 4 * 1024 * 1024;

const execute = promisify(execFile);

/**
 * @param hashSources is called for a state of the files that has no commit of its own
 * @returns the version of a package: that of the service, and the commit as a pre-release (semver.org, section 9)
 */
export function downloadVersion(version: string, commit: string, hashSources: () => string): string {
  const [, digits = '0000000', dirty] = /^([0-9a-f]{7})[0-9a-f]*(-dirty)?$/.exec(commit) ?? [];
  const isKnown = digits !== '0000000' && dirty === undefined;
  return `${version}-g${digits}${isKnown ? '' : `x${hashSources().slice(0, 8)}`}`;
}

let building: Promise<string> | undefined;

/** Builds the files if they are missing, or those of another version. @returns their folder */
export function ensureDownloads(): Promise<string> {
  building ??= build();
  return building;
}

async function build(): Promise<string> {
  await ensureDerived();
  const version = downloadVersion(manifest.version, commitOf(root), hashOfSources);
  const folder = resolve(root, 'dist/downloads', version);
  if (existsSync(join(folder, releaseFile))) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(join(dirname(folder), 'part-'));
  try {
    const out = join(work, 'out');
    mkdirSync(out);
    const release = await buildDownloads(out, version);
    writeFileSync(join(out, releaseFile), JSON.stringify(release, null, 2));
    try {
      renameSync(out, folder);
    } catch (error) {
      // Another process may have built the same files.
      if (!existsSync(join(folder, releaseFile))) throw error;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  for (const old of globSync('*', { cwd: dirname(folder) }).filter((name) => name !== version)) {
    if (!old.startsWith('part-')) rmSync(join(dirname(folder), old), { recursive: true, force: true });
  }
  return folder;
}

/** Writes the packages into an existing folder. @returns their description */
export async function buildDownloads(out: string, version: string): Promise<FileRelease> {
  const work = mkdtempSync(join(tmpdir(), 'platform-packages-'));
  try {
    const kinds: [DownloadKind, Promise<string>][] = [
      ['cli', packCli(work, out, version)],
      ['typescript', packClient(work, out, version)],
      ['python', packPython(out, version)],
    ];
    const files = await Promise.all(
      kinds.map(async ([kind, packed]) => describe(out, await packed, kind, version)),
    );
    return { version, files };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function describe(folder: string, file: string, kind: DownloadKind, version: string): DownloadFile {
  const bytes = readFileSync(join(folder, file));
  if (bytes.length > maxBytes) throw new Error(`${file} has ${bytes.length} bytes, more than ${maxBytes}`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { file, kind, version, bytes: bytes.length, sha256 };
}

/** Everything that is packed, and what it is built with. */
function hashOfSources(): string {
  const packed = ['clients/**/*', 'cli/**/*'];
  const builders = [
    'package-lock.json',
    'tsconfig.json',
    'scripts/downloads/*',
    'scripts/shared/licences.mjs',
  ];
  const paths = globSync([...packed, ...builders], {
    cwd: root,
    exclude: (path) => /(^|\/)(dist|node_modules|__pycache__)$/.test(path),
  }).filter((path) => statSync(join(root, path)).isFile());
  const hash = createHash('sha256');
  for (const path of paths.sort()) hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

async function packCli(work: string, out: string, version: string): Promise<string> {
  const folder = join(work, 'cli');
  await node(['cli/build.mjs', join(folder, 'dist')]);
  return pack('cli', folder, out, version);
}

async function packClient(work: string, out: string, version: string): Promise<string> {
  const folder = join(work, 'typescript');
  const tsc = 'node_modules/typescript/bin/tsc';
  const source = 'clients/typescript';
  await Promise.all([
    node([tsc, '-p', `${source}/tsconfig.json`, '--outDir', join(folder, 'dist')]),
    node([tsc, '-p', `${source}/tsconfig.cjs.json`, '--outDir', join(folder, 'dist/cjs')]),
  ]);
  writeFileSync(join(folder, 'dist/cjs/package.json'), JSON.stringify({ type: 'commonjs' }));
  return pack(source, folder, out, version);
}

/** The build of a wheel begins with a digit (PEP 427). */
async function packPython(out: string, version: string): Promise<string> {
  const { file, bytes } = pythonWheel(`0${version.split('-')[1]}`);
  writeFileSync(join(out, file), bytes);
  return file;
}

const node = (args: string[]) => execute(process.execPath, args, { cwd: root });

/** @returns the file's name */
async function pack(source: string, folder: string, out: string, version: string): Promise<string> {
  const {
    scripts: _,
    devDependencies: __,
    ...published
  } = JSON.parse(readFileSync(join(root, source, 'package.json'), 'utf8')) as Record<string, unknown>;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...published, version }, null, 2));
  for (const name of ['README.md', 'LICENSE']) cpSync(join(root, source, name), join(folder, name));
  await npmPack(folder, out);
  return `${published.name}-${version}.tgz`;
}

/**
 * Writes the package into another folder. The same files become the same bytes: npm gives all of them the same time, but keeps
 * their modes, which depend on the umask of the process.
 * @param folder has package.json and every file of the package. Its modes change
 * @param out an existing folder
 */
async function npmPack(folder: string, out: string): Promise<void> {
  const { bin = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin?: Record<string, string>;
  };
  const commands = Object.values(bin).map((path) => join(folder, path));
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) chmodSync(path, commands.includes(path) ? 0o755 : 0o644);
  }
  await execute('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', out], { cwd: folder });
}
