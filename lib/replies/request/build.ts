/** The request to a model: the frame of the service, the persona, the conversation, the passages and the question. Pure. */

import type { Model } from '../../models/models.ts';
import type { ChatRequest, HistoryMessage, Passage, Persona } from './types.ts';

export type RequestParts = {
  persona: Persona;
  model: Model;
  temperature?: number | undefined;
  maxTokens: number;
  /** The messages before the question, oldest first. */
  history: readonly HistoryMessage[];
  /** So many messages before `history` were not read. */
  unreadMessages?: number;
  question: string;
  /** Best first, with the numbers from 1. */
  passages: readonly Passage[];
};

export type BuiltRequest = {
  request: ChatRequest;
  /** The passages in the request. */
  passages: readonly Passage[];
  leftOut: { messages: number; passages: number };
  /** The most that one attempt uses and costs. */
  most: { inputTokens: number; outputTokens: number; costMicroUsd: number };
};

/** @returns undefined if the persona and the question alone are too long for the model */
export function buildRequest(_parts: RequestParts): BuiltRequest | undefined {
  throw new Error('not written yet');
}
