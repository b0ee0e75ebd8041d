/**
 * A part of a build's vectors as bytes: for each of its pieces a hash of its text, its state and its vector, all hashes first,
 * then all states, then all vectors. Pure.
 */

import { hash } from 'node:crypto';
import { dimensions, type PieceVectors, signsOf, type Vector } from '../../search/semantic/vectors.ts';

/** A hash is the start of a SHA-256: 160 bits. */
const hashBytes = 20;
const recordBytes = hashBytes + 1 + dimensions;

/** So many pieces take about 104 KB, and at most half a minute of encoding. */
export const piecesPerPart = 256;

/** The vector of a text: null if the model does not speak its language, undefined if it is not known yet. */
export type Known = Vector | null | undefined;

const stateOf = (vector: Known): number => (vector === undefined ? 2 : vector === null ? 0 : 1);
const hasVector = 1;
const isMissing = 2;

/** @returns the hash of a piece's text, in a string of 20 characters */
export const hashOfText = (text: string): string =>
  hash('sha256', text, 'buffer').toString('latin1', 0, hashBytes);

export type PartPiece = { hash: string; vector: Known };

export function packPart(pieces: readonly PartPiece[]): Uint8Array {
  const bytes = Buffer.alloc(pieces.length * recordBytes);
  const states = pieces.length * hashBytes;
  for (const [at, { hash, vector }] of pieces.entries()) {
    bytes.write(hash, at * hashBytes, 'latin1');
    bytes[states + at] = stateOf(vector);
    if (vector) bytes.set(bytesOf(vector), states + pieces.length + at * dimensions);
  }
  return bytes;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Vector) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** @returns the pieces of a part, whose vectors are views of its bytes */
export function unpackPart(bytes: Uint8Array): PartPiece[] {
  const { count, states, vectors } = sectionsOf(bytes);
  const hashes = Buffer.from(bytes.buffer, bytes.byteOffset, count * hashBytes);
  return Array.from({ length: count }, (_, at) => {
    const vector = vectors.subarray(at * dimensions, (at + 1) * dimensions);
    const state = states[at];
    return {
      hash: hashes.toString('latin1', at * hashBytes, (at + 1) * hashBytes),
      vector: state === hasVector ? vector : state === isMissing ? undefined : null,
    };
  });
}

function sectionsOf(bytes: Uint8Array) {
  const count = bytes.length / recordBytes;
  const afterHashes = count * hashBytes;
  return {
    count,
    states: bytes.subarray(afterHashes, afterHashes + count),
    vectors: new Int8Array(bytes.buffer, bytes.byteOffset + afterHashes + count, count * dimensions),
  };
}

/** @param parts in their order @returns the vectors of all pieces, for a search */
export function joinParts(parts: readonly Uint8Array[]): PieceVectors {
  const sections = parts.map(sectionsOf);
  const count = sections.reduce((sum, part) => sum + part.count, 0);
  const bytes = new Int8Array(count * dimensions);
  const has = new Uint8Array(count);
  let at = 0;
  for (const part of sections) {
    bytes.set(part.vectors, at * dimensions);
    for (const state of part.states) has[at++] = state === hasVector ? 1 : 0;
  }
  return { count, bytes, has, bits: signsOf(bytes) };
}
