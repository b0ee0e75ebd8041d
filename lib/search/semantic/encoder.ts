/** Turns texts into vectors, with a model on this machine's processor. */

import { readFile } from 'node:fs/promises';
import type { InferenceSession, Tensor } from 'onnxruntime-common';
import { isSpoken } from './languages.ts';
import { dimensions, type Encoder, modelName, quantise, type Vector } from './vectors.ts';
import { createTokenizer } from './word-pieces.ts';

/** Where the model is. In a bundle, it is beside the function. */
export const modelFolder = `${import.meta.dirname}/model`;

const maxTexts = 64;

type Runtime = typeof import('onnxruntime-node');

/** This machine's system or processor has no library that runs the model. */
export class EncoderMissing extends Error {}

let loaded: Promise<Encoder> | undefined;

/**
 * Loads the model once per process.
 * @throws EncoderMissing if no library runs the model here: then there are no meanings
 */
export function loadEncoder(): Promise<Encoder> {
  loaded ??= openEncoder().catch((error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

/**
 * The package has libraries for Linux, Windows, and macOS on arm64. A function's bundle has those of one machine.
 * @param load loads the package
 * @throws EncoderMissing if it has no library for this machine
 */
export async function openEncoder(
  load: () => Promise<Runtime> = () => import('onnxruntime-node'),
): Promise<Encoder> {
  const [{ InferenceSession, Tensor }, vocabulary] = await Promise.all([
    load().catch((cause: unknown) => {
      const machine = `${process.platform} on ${process.arch}`;
      throw new EncoderMissing(`The encoder does not run on ${machine}, so searches are by words only.`, {
        cause,
      });
    }),
    readFile(`${modelFolder}/vocab.txt`, 'utf8'),
  ]);
  const tokensOf = createTokenizer(vocabulary);
  const session = await InferenceSession.create(`${modelFolder}/model.onnx`, {
    // A function has one or two processors, and waits for nothing else meanwhile.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
  });
  let last: Promise<unknown> = Promise.resolve();
  /** The library computes on this thread. With one text at a time, other work of the process goes on between two texts. */
  const encodeNext = (ids: readonly number[]): Promise<Vector> => {
    const encodeIt = () => encodeOne(session, Tensor, ids);
    const vector = last.then(encodeIt, encodeIt);
    last = vector;
    return vector;
  };
  return {
    model: modelName,
    dimensions,
    async encode(texts) {
      if (texts.length > maxTexts) throw new Error(`at most ${maxTexts} texts at once`);
      const vectors: (Vector | undefined)[] = [];
      for (const text of texts) {
        const tokens = tokensOf(text);
        // Each text is encoded on its own: shorter texts need no padding, and a vector does not depend on its neighbours.
        vectors.push(isSpoken(text, tokens) ? await encodeNext(tokens.ids) : undefined);
      }
      return vectors;
    },
  };
}

async function encodeOne(
  session: InferenceSession,
  IdTensor: typeof Tensor,
  ids: readonly number[],
): Promise<Vector> {
  const shape = [1, ids.length];
  const fill = (value: bigint) => new IdTensor('int64', new BigInt64Array(ids.length).fill(value), shape);
  const output = await session.run({
    input_ids: new IdTensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: fill(1n),
    token_type_ids: fill(0n),
  });
  const states = output.last_hidden_state?.data;
  if (!(states instanceof Float32Array)) throw new Error('the model has another output');
  return quantise(meanOf(states));
}

/** The mean over all tokens, as 1_Pooling/config.json of the model says. The length of the vector does not matter. */
function meanOf(states: Float32Array): Float32Array {
  const sums = new Float32Array(dimensions);
  for (let at = 0; at < states.length; at += 1) {
    const dimension = at % dimensions;
    sums[dimension] = (sums[dimension] as number) + (states[at] as number);
  }
  return sums;
}

export type EncoderSource = {
  /** The model of the encoder. It can be read before the encoder is loaded. */
  readonly model: string;
  /** Loads the encoder once, however often it is called. @throws EncoderMissing if this machine has no library that runs the model */
  load(): Promise<Encoder>;
  /** How long a search waits for what is loading. Tests set it, because they may run on a busy machine. */
  patienceMs?: number;
};

export const realEncoder: EncoderSource = { model: modelName, load: loadEncoder };

let current = realEncoder;

export const encoderSource = (): EncoderSource => current;

/** Replaces the encoder in tests that are not about meaning: loading a model takes longer than they do. */
export function useEncoder(source: EncoderSource): void {
  current = source;
}
