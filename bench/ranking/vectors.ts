/**
 * The vectors of the collections and their questions. They are stored, because encoding them takes half an hour: vectors.bin
 * has the first bytes of the hash of model and text, and the vector; zeros where the model does not speak the language.
 */

import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { dimensions, modelName, type Vector } from '../../lib/search/semantic/vectors.ts';
import { fetchedEncoder } from '../../scripts/local/encoder.ts';
import { progress } from '../statistics.ts';

const file = resolve(import.meta.dirname, 'vectors.bin');
const keyBytes = 8;
const entryBytes = keyBytes + dimensions;

const keyOf = (text: string): string =>
  hash('sha256', `${modelName}\n${text}`, 'buffer').toString('hex', 0, keyBytes);

type Known = Map<string, Vector>;

function stored(): Known {
  const bytes = readFileSync(file);
  const known: Known = new Map();
  for (let at = 0; at < bytes.length; at += entryBytes) {
    const vector = new Int8Array(bytes.buffer, bytes.byteOffset + at + keyBytes, dimensions);
    known.set(bytes.toString('hex', at, at + keyBytes), vector);
  }
  return known;
}

let known: Known | undefined;

/** @returns the vector of each text. Encodes those that are not stored */
export async function vectorsOf(texts: readonly string[]): Promise<(Vector | undefined)[]> {
  known ??= stored();
  for (const [at, text] of texts.entries()) {
    if (known.has(keyOf(text))) continue;
    if (at % 50 === 0) progress(`ranking: encoding ${at} of ${texts.length}`);
    const [vector] = await (await fetchedEncoder.load()).encode([text]);
    known.set(keyOf(text), vector ?? new Int8Array(dimensions));
  }
  return texts
    .map((text) => known?.get(keyOf(text)))
    .map((vector) => (vector?.some(Boolean) ? vector : undefined));
}

/** Stores the vectors of these texts, and no others. */
export async function storeVectors(texts: readonly string[]): Promise<void> {
  const vectors = await vectorsOf(texts);
  const byKey = new Map(texts.map((text, at) => [keyOf(text), vectors[at] ?? new Int8Array(dimensions)]));
  const entries = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1));
  const bytes = entries.flatMap(([key, vector]) => [
    Buffer.from(key, 'hex'),
    Buffer.from(vector.buffer, vector.byteOffset, dimensions),
  ]);
  writeFileSync(file, Buffer.concat(bytes));
}
