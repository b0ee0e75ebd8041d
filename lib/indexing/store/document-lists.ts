/**
 * The list of the documents of a version, for comparisons with other versions. The list is sorted by id and cut into parts,
 * and a directory has a digest of each part: a comparison reads only the parts that differ.
 */

import { hash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { ProjectStore } from '../../dynamodb/store.ts';
import type { Write } from '../../dynamodb/write.ts';
import { compression, type PreparedDocument, partId, parts, putPart } from './parts.ts';

/** An item has at most 400 KB, and a text may not get smaller by compression. */
const maxPartBytes = 250 * 1024;
/**
 * One id of 256 ends a part. The cuts depend on the ids alone, so an added document changes one part, and all later parts
 * stay the same.
 */
const endsPart = /[0-3]0$/;

const directoryId = 'list';

export type DocumentHead = Pick<PreparedDocument, 'id' | 'title' | 'tags' | 'url' | 'fields'> & {
  content: string;
};

/** The first and the last id in a part, and a digest of the part. */
export type ListPart = { number: number; from: string; to: string; digest: string };

/** @returns the parts of a list, in the order of the ids */
export function* listParts(heads: readonly DocumentHead[]): Generator<{ part: ListPart; json: string }> {
  let number = 0;
  let lines: string[] = [];
  let bytes = 0;
  let from = '';
  const sortedHeads = heads.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const [index, { id, title, tags, url, fields, content }] of sortedHeads.entries()) {
    const line = JSON.stringify({ id, title, tags, url, fields, content });
    if (lines.length === 0) from = id;
    lines.push(line);
    bytes += Buffer.byteLength(line);
    if (index + 1 < sortedHeads.length && bytes < maxPartBytes && !endsPart.test(id)) continue;
    const json = `[${lines.join()}]`;
    yield {
      part: { number, from, to: id, digest: hash('sha256', json, 'base64url').slice(0, 22) },
      json,
    };
    number += 1;
    lines = [];
    bytes = 0;
  }
}

/** @returns a write for each part of the list, and one for its directory; none without a list */
export function putDocumentList(
  store: ProjectStore,
  build: string,
  heads: readonly DocumentHead[] | undefined,
): Write<never>[] {
  if (heads === undefined) return [];
  const put = (id: string, json: string) => putPart(store, build, id, brotliCompressSync(json, compression));
  const directory: ListPart[] = [];
  const writes: Write<never>[] = [];
  for (const { part, json } of listParts(heads)) {
    directory.push(part);
    writes.push(put(partId('list', part.number), json));
  }
  return [...writes, put(directoryId, JSON.stringify(directory))];
}

/** @returns the parts of a list; undefined if the build has no list, or has it in the form of an earlier version */
export async function getListDirectory(store: ProjectStore, build: string): Promise<ListPart[] | undefined> {
  const directory = await parts.at(store, build).get(directoryId);
  return directory && (JSON.parse(brotliDecompressSync(directory.bytes).toString()) as ListPart[]);
}

/**
 * @param numbers at most 40, because a response of DynamoDB has at most 16 MB
 * @returns the documents in these parts of the list; undefined if a part is missing
 */
export async function getListParts(
  store: ProjectStore,
  build: string,
  numbers: readonly number[],
): Promise<DocumentHead[] | undefined> {
  const items = await parts.at(store, build).getMany(numbers.map((number) => partId('list', number)));
  if (items.length < numbers.length) return undefined;
  return items.flatMap(({ bytes }) => JSON.parse(brotliDecompressSync(bytes).toString()) as DocumentHead[]);
}

/** Collects the documents of a version while it is built. */
export function documentList() {
  let heads: DocumentHead[] | undefined = [];
  return {
    add({ id, title, tags, url, fields, content, continues }: PreparedDocument): void {
      if (continues) return;
      // Builds of older versions lack the hash, so a list of them would be wrong.
      if (content === undefined) heads = undefined;
      else heads?.push({ id, title, tags, url, fields, content });
    },
    /** @returns the documents; undefined if the list would not be complete */
    heads: (): DocumentHead[] | undefined => heads,
  };
}
