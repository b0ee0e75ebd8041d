/** The meanings of a version's pieces, and the encoder of questions: what a search by meaning needs, if it is there in time. */

import type { ProjectStore } from '../../documents/store/documents.ts';
import type { Semantic } from '../../search/index/common/search-index.ts';
import { encoderSource } from '../../search/semantic/encoder.ts';
import type { Encoder, PieceVectors } from '../../search/semantic/vectors.ts';
import type { Manifest } from '../store/versions.ts';
import { loadVectors } from './loaded-vectors.ts';

export type Meanings = { encoder: Encoder; vectors: PieceVectors };

/** How long a search waits for the model and the vectors. Then it finds by words only. They go on loading for later searches. */
export const searchPatienceMs = 1500;

/**
 * A function that encodes questions needs a whole core, which Lambda provides from this much memory on ("Configure Lambda function
 * memory", AWS Lambda Developer Guide).
 */
export const memoryMbToEncode = 1769;

export type Wanted = {
  /** The time of the request. */
  nowMs: number;
  /** How long to wait for what is not in memory yet. */
  patienceMs: number;
};

/**
 * Begins to load the encoder and the vectors of a version.
 * @param key names tenant, project, version and build
 * @returns undefined if the version has no vectors of this model, and if they cannot be loaded in time
 */
export async function loadMeanings(
  store: ProjectStore,
  key: string,
  { build, model, vectorParts }: Manifest,
  { nowMs, patienceMs }: Wanted,
): Promise<Meanings | undefined> {
  const source = encoderSource();
  if (model !== source.model || vectorParts === undefined) return undefined;
  const load = async (): Promise<Meanings | undefined> => {
    const [encoder, vectors] = await Promise.all([
      source.load(),
      loadVectors(store, key, { build, vectorParts }, nowMs),
    ]);
    return vectors && { encoder, vectors };
  };
  // Without meanings a search still finds words, whatever the reason is.
  return within(
    load().catch(() => undefined),
    source.patienceMs ?? patienceMs,
  );
}

/** @returns undefined if it takes longer */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns what a search by meaning needs; undefined if the model does not speak the language of the question */
export async function semanticOf(
  meanings: Meanings | undefined,
  question: string,
): Promise<Semantic | undefined> {
  if (!meanings) return undefined;
  const [vector] = await meanings.encoder.encode([question]);
  return vector && { question: vector, vectors: meanings.vectors };
}
