/** What is stored of a version besides its build. */

import type { Stored, Unstored } from '../../dynamodb/collection.ts';

export type Manifest = Stored<{
  id: string;
  /** The algorithm that built it; without one, the first algorithm. */
  algorithm?: string;
  build: string;
  documents: number;
  /** The number of documents that failed. */
  failed: number;
  chunks: number;
  blocks: number;
  indexParts: number;
  /** The model of its vectors. Missing if it was built before there were vectors, or where the model does not run. */
  model?: string;
  vectorParts?: number;
  /** A deployment has frozen this version. */
  held?: boolean;
  /** Set when the version is retired or replaced. */
  ttl?: number;
  /** The version that replaced this one because documents were expunged. */
  replacedBy?: string;
}>;
export type NewManifest = Omit<Unstored<Manifest>, 'ttl' | 'replacedBy'>;
