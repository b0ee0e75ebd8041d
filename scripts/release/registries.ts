/** The packages for npm and PyPI: those of the release, with a name that the owner has there. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmPack } from '../downloads/npm-pack.ts';
import { pythonWheel } from '../downloads/python-client.ts';
import { UsageError } from '../shared/options.ts';

/** @throws UsageError for what npm does not accept as a scope */
export function checkScope(scope: string): void {
  if (!/^@[a-z0-9][a-z0-9_-]{0,100}$/.test(scope))
    throw new UsageError(`"${scope}" is not a scope such as @acme.`);
}

/** @throws UsageError for a name that PyPI would write in another way, or that no wheel can have */
export function checkProject(name: string): void {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.length > 100)
    throw new UsageError(`"${name}" is not a project such as acme-platform-api.`);
}

/** @returns package.json as npm publishes it */
export function publicManifest(manifest: string, scope: string, version: string): string {
  const { private: _, ...rest } = JSON.parse(manifest) as Record<string, unknown>;
  return JSON.stringify({ ...rest, name: `${scope}/${rest.name}`, version }, null, 2);
}

/**
 * Packs a package again.
 * @param file the package of the release
 * @param out an existing folder
 */
export async function packForNpm(file: string, out: string, scope: string, version: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'platform-npm-'));
  try {
    execFileSync('tar', ['-xzf', file, '-C', work]);
    const manifest = join(work, 'package/package.json');
    writeFileSync(manifest, publicManifest(readFileSync(manifest, 'utf8'), scope, version));
    await npmPack(join(work, 'package'), out);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param build as in `WheelVersion` */
export function wheelForPypi(out: string, build: string, project: string): void {
  mkdirSync(out, { recursive: true });
  const { file, bytes } = pythonWheel(build, project);
  writeFileSync(join(out, file), bytes);
}
