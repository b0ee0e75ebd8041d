/** Parts of requests that the tests of this folder share. */

import { expect } from 'vitest';
import type { Model } from '../../../../lib/models/models.ts';
import type { RequestParts } from '../../../../lib/replies/request/build.ts';
import { buildRequest } from '../../../../lib/replies/request/build.ts';
import { passagesOf } from '../../../../lib/replies/request/passages.ts';
import type { Hit } from '../../../../lib/replies/request/types.ts';

export const model: Model = {
  id: 'eu.amazon.nova-lite-v1:0',
  inputUsdPerMillionTokens: 0.06,
  outputUsdPerMillionTokens: 0.24,
};

export const hit = (fields: Partial<Hit> = {}): Hit => ({
  pieceId: 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E.12',
  documentId: 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
  title: 'Returns',
  heading: 'Shop › Returns',
  page: 12,
  url: null,
  text: '# Returns\n\nYou can send it back within 30 days.',
  snippet: 'You can send it back within 30 days.',
  matches: [],
  score: 12.4,
  scores: { lexical: 12.4, semantic: null },
  matchedWords: ['send'],
  ...fields,
});

export const parts = (fields: Partial<RequestParts> = {}): RequestParts => ({
  persona: { name: 'Ada', prompt: 'You are Ada. You answer in one sentence.', language: 'en-GB' },
  model,
  maxTokens: 1024,
  history: [],
  question: 'Can I send it back?',
  passages: passagesOf([hit()]).passages,
  ...fields,
});

export function build(fields: Partial<RequestParts> = {}) {
  const built = buildRequest(parts(fields));
  if (!built) throw new Error('the request is too long');
  // What every request must have.
  const roles = built.request.messages.map(({ role }) => role);
  expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
  expect(roles.at(-1)).toBe('user');
  return built;
}
