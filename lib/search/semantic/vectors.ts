/** The meanings of texts as vectors: what makes them, their bytes and signs, and how near two of them are. */

/**
 * Names the model, its quantisation and the tokenizer. Vectors are stored by it, and it is a part of a version's hash. So a change
 * of the model, the tokenizer, the text of a piece or the languages needs another name.
 */
export const modelName = 'minilm-l6-v2-int8-1';

export const dimensions = 384;

/** A text's meaning as a direction in a space of 384 dimensions: one signed byte each. Its length means nothing. */
export type Vector = Int8Array;

export type Encoder = {
  /** Names model, quantisation and tokenizer: a part of a version's hash. */
  readonly model: string;
  readonly dimensions: number;
  /**
   * @param texts at most 64. Only the first 256 tokens of a text count, about 1 200 characters
   * @returns for each text its vector; undefined if the model does not speak the language of the text
   */
  encode(texts: readonly string[]): Promise<readonly (Vector | undefined)[]>;
};

/** The vectors of an index's pieces, in the order of its `places`. A piece without a vector has zeros. */
export type PieceVectors = {
  readonly count: number;
  /** The signs, 12 words of 32 bits for each piece: a set bit is a positive dimension. */
  readonly bits: Uint32Array;
  /** `dimensions` bytes for each piece. */
  readonly bytes: Int8Array;
  /** The value 1 for each piece with a vector, otherwise 0. */
  readonly has: Uint8Array;
};

/** A vector's signs as words of 32 bits. */
export const wordsPerVector = dimensions / 32;

/** @returns the direction of these numbers; the largest becomes 127 */
export function quantise(numbers: Float32Array | readonly number[]): Vector {
  let largest = 0;
  for (const number of numbers) largest = Math.max(largest, Math.abs(number));
  const vector = new Int8Array(numbers.length);
  if (largest === 0) return vector;
  for (let at = 0; at < vector.length; at += 1)
    vector[at] = Math.round(((numbers[at] as number) / largest) * 127);
  return vector;
}

/** @returns the signs of each vector, one after the other: a set bit is a positive dimension */
export function signsOf(bytes: Int8Array): Uint32Array {
  const bits = new Uint32Array(bytes.length / 32);
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] as number) > 0) bits[at >> 5] = (bits[at >> 5] as number) | (1 << (at & 31));
  }
  return bits;
}

/** @param vectors the vectors of an index's pieces, in their order */
export function pieceVectors(vectors: readonly (Vector | undefined)[]): PieceVectors {
  const bytes = new Int8Array(vectors.length * dimensions);
  for (const [at, vector] of vectors.entries()) if (vector) bytes.set(vector, at * dimensions);
  return {
    count: vectors.length,
    bytes,
    bits: signsOf(bytes),
    has: Uint8Array.from(vectors, (vector) => (vector ? 1 : 0)),
  };
}

/** @returns the number of dimensions whose signs differ, of a question and a piece */
export function distanceTo(
  question: Uint32Array,
  { bits }: Pick<PieceVectors, 'bits'>,
  piece: number,
): number {
  let distance = 0;
  for (let word = 0, at = piece * wordsPerVector; word < wordsPerVector; word += 1, at += 1) {
    // The number of set bits (H. S. Warren, "Hacker's Delight", section 5-1).
    let differing = (question[word] as number) ^ (bits[at] as number);
    differing -= (differing >>> 1) & 0x55555555;
    differing = (differing & 0x33333333) + ((differing >>> 2) & 0x33333333);
    differing = (differing + (differing >>> 4)) & 0x0f0f0f0f;
    distance += Math.imul(differing, 0x01010101) >>> 24;
  }
  return distance;
}

/** @returns the cosine of the angle between a question and a piece: -1 to 1; 0 if one has no direction */
export function cosineTo(question: Vector, { bytes }: Pick<PieceVectors, 'bytes'>, piece: number): number {
  let [product, questionNorm, pieceNorm] = [0, 0, 0];
  for (let dimension = 0, at = piece * dimensions; dimension < dimensions; dimension += 1, at += 1) {
    const [a, b] = [question[dimension] as number, bytes[at] as number];
    product += a * b;
    questionNorm += a * a;
    pieceNorm += b * b;
  }
  return product === 0 ? 0 : product / Math.sqrt(questionNorm * pieceNorm);
}
