/** Packs a folder for npm. */

import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Writes the package into another folder. The same files become the same bytes: npm gives all of them the same time, but keeps
 * their modes, which depend on the umask of the process.
 * @param folder has package.json and every file of the package. Its modes change
 * @param out an existing folder
 */
export async function npmPack(folder: string, out: string): Promise<void> {
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
