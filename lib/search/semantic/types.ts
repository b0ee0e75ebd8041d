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
  /** For each piece, 1 if it has a vector. */
  readonly has: Uint8Array;
};
