/**
 * Exports an organisation: a file of JSON lines for each table, an item per line, without hashes of secrets. It can be killed
 * at any point and run again: it continues after the last page that is completely written.
 */

import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TableName, tableNames } from '../../lib/dynamodb/tables.ts';
import type { Item } from '../../lib/dynamodb/write.ts';
import type { BaseRuntime } from '../../lib/runtime/base-runtime.ts';
import { UsageError } from '../shared/options.ts';
import { type Position, searchTable } from './search.ts';

/** Attributes that stand for a secret: hashes of keys, and responses that were sealed because they have a secret. */
export const leftOut: readonly string[] = ['secretHash', 'previousSecret', 'sealed'];

type Progress = {
  organisationId: string;
  /** The complete tables. */
  done: { table: TableName; items: number }[];
  /** The table that is being written: its items and bytes so far, and where the search continues. */
  current?: { table: TableName; items: number; bytes: number; next: Position };
};

export type Manifest = {
  organisationId: string;
  tables: { table: TableName; items: number; bytes: number; sha256: string }[];
};

/**
 * @param folder a new folder, or the folder of an interrupted export
 * @returns the contents of the files, as in manifest.json
 * @throws UsageError if the folder has another export
 */
export async function exportOrganisation(
  runtime: Pick<BaseRuntime, 'client' | 'tableNames'>,
  { organisationId, folder, pageSize }: { organisationId: string; folder: string; pageSize?: number },
): Promise<Manifest> {
  const file = (name: string) => join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (existsSync(file('manifest.json')))
    throw new UsageError(`${folder} has a complete export. Choose another folder.`);
  const progress = readProgress(file('progress.json'), organisationId, folder);

  const note = (changes: Partial<Progress>) => {
    Object.assign(progress, changes);
    replace(file('progress.json'), JSON.stringify(progress));
  };

  async function writeTable(table: TableName): Promise<void> {
    const begun = progress.current?.table === table ? progress.current : undefined;
    const output = openSync(file(`${table}.jsonl`), begun ? 'r+' : 'w', 0o600);
    try {
      let { items: count, bytes } = begun ?? { items: 0, bytes: 0 };
      // A page that was not noted is written again.
      ftruncateSync(output, bytes);
      if (begun && !begun.next) return;
      for await (const { items, next } of searchTable(runtime, table, organisationId, {
        from: begun?.next,
        pageSize,
      })) {
        for (const item of items) bytes += writeSync(output, `${lineOf(item)}\n`, bytes);
        count += items.length;
        fsyncSync(output);
        note({ current: { table, items: count, bytes, next } });
      }
    } finally {
      closeSync(output);
    }
  }

  for (const table of tableNames) {
    if (progress.done.some((one) => one.table === table)) continue;
    await writeTable(table);
    const { current, ...rest } = progress;
    progress.done = [...rest.done, { table, items: current?.items ?? 0 }];
    delete progress.current;
    note({});
  }
  const manifest: Manifest = { organisationId, tables: [] };
  for (const { table, items } of progress.done) {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of createReadStream(file(`${table}.jsonl`)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    manifest.tables.push({ table, items, bytes, sha256: hash.digest('hex') });
  }
  replace(file('manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  rmSync(file('progress.json'));
  return manifest;
}

function readProgress(file: string, organisationId: string, folder: string): Progress {
  if (!existsSync(file)) return { organisationId, done: [] };
  const progress = JSON.parse(readFileSync(file, 'utf8')) as Progress;
  if (progress.organisationId !== organisationId)
    throw new UsageError(`${folder} has an export of ${progress.organisationId}. Choose another folder.`);
  return progress;
}

/** Replaces a file at once, so that it is never half written. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
}

/** @returns the item as JSON: bytes in base64, sets as lists */
function lineOf(item: Item): string {
  const kept = Object.entries(item).filter(([name]) => !leftOut.includes(name));
  return JSON.stringify(Object.fromEntries(kept), (_, value: unknown) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    return value instanceof Set ? [...value] : value;
  });
}
