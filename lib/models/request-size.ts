/** How large a request to a model may be, and how many tokens it has at most. Pure. */

import type { Model } from './models.ts';

export const bytesPerToken = 4;
const defaultLimitBytes = 400_000;

/** Providers and models add the form of a chat and of its tools to a request. Their documents name up to 700 tokens. */
const addedTokens = 1024;

/** @returns the most bytes of JSON that a request to the model should have. Other languages have fewer bytes in a token */
export const requestLimitBytes = ({ maxInputTokens }: Pick<Model, 'maxInputTokens'>): number =>
  maxInputTokens === undefined ? defaultLimitBytes : maxInputTokens * bytesPerToken;

/** @param bytes of the JSON of the request: a token of a text has at least one byte */
export const mostInputTokens = (bytes: number): number => bytes + addedTokens;
