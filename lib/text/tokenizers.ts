/**
 * The versions of the tokenizer. An index is searched, extended and removed with the version that built it. So a version stays
 * here until every project was indexed again after the change.
 */

import { type Tokenizer, termsIn } from './terms.ts';

/** New indexes use the `current` version. */
export const tokenizers: { current: number; readonly versions: Record<number, Tokenizer> } = {
  current: 1,
  versions: { 1: termsIn },
};

/** @throws Error if a later version of the code built the index */
export function tokenizer(version: number): Tokenizer {
  const tokenize = tokenizers.versions[version];
  if (!tokenize) throw new Error(`there is no tokenizer ${version}`);
  return tokenize;
}
