/** The encoder of this machine: npm fetches its library when the first text is encoded. */

import {
  EncoderMissing,
  type EncoderSource,
  loadEncoder,
  realEncoder,
} from '../../lib/search/semantic/encoder.ts';
import { fetchPackage } from '../shared/fetched-packages.ts';

export const fetchedEncoder: EncoderSource = {
  ...realEncoder,
  async load() {
    await fetchPackage('onnxruntime-node').catch((cause: unknown) => {
      const message = 'npm cannot fetch the library of the encoder, so searches are by words only.';
      throw new EncoderMissing(message, { cause });
    });
    return loadEncoder();
  },
};
