/** The encoder of this process. It is loaded when something first needs a vector. */

import { loadEncoder } from './encoder.ts';
import { modelName } from './model-name.ts';
import type { Encoder } from './types.ts';

export type EncoderSource = {
  /** The model of the encoder, known before it is loaded. */
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
