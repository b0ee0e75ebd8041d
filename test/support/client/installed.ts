/** The client's package as users get it: packed, and installed in an empty folder. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../scripts/shared/root.ts';

export type Packed = { files: { path: string }[]; filename: string };

/** @throws Error with what the command printed */
export function execute(command: string, args: readonly string[], cwd: string): string {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: Object.fromEntries(kept),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}

const folderInTree = 'clients/typescript';

/** Builds, packs and installs the package. It is built in a copy, because several test files do this at the same time. */
export function installClient() {
  const folder = mkdtempSync(join(tmpdir(), 'platform-api-client-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const [copy, packages, user] = ['copy', 'packages', 'user'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const one of [copy, packages, user]) mkdirSync(one);
  cpSync(join(root, 'tsconfig.json'), join(copy, 'tsconfig.json'));
  const isBuilt = (path: string) => /[/\\](dist|node_modules)$/.test(path);
  cpSync(join(root, folderInTree), join(copy, folderInTree), {
    recursive: true,
    filter: (path) => !isBuilt(path),
  });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // `prepack` prints what it runs before the JSON.
  const printed = execute(
    'npm',
    ['pack', '--json', '--pack-destination', packages],
    join(copy, folderInTree),
  );
  const parsed = JSON.parse(printed.slice(printed.search(/^[[{]/m))) as Packed[] | Record<string, Packed>;
  const [packed] = Object.values(parsed);
  if (!packed) throw new Error(printed);
  writeFileSync(join(user, 'package.json'), JSON.stringify({ name: 'user', type: 'module' }));
  execute('npm', ['install', '--offline', '--no-audit', '--no-fund', join(packages, packed.filename)], user);
  return { user, packed, remove };
}
