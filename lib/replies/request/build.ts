/**
 * The request to a model: the frame of the service, the persona, the conversation, the passages and the question. Pure.
 *
 * Texts of users and documents are JSON that no text can leave (lib/text/material.ts). They can still try to persuade the model.
 */

import { costOf } from '../../base/money.ts';
import type { ChatRequest, Model } from '../../models/models.ts';
import { mostInputTokens, requestLimitBytes } from '../../models/request-size.ts';
import { materialOf } from '../../text/material.ts';
import { frame, passagesNote, personaText } from './frame.ts';
import { bytesOf, maxHistoryBytes, messagesOf, newestTurns } from './history.ts';
import { shownPassage } from './passages.ts';
import type { HistoryMessage, Passage, Persona } from './types.ts';

export type RequestParts = {
  persona: Persona;
  model: Model;
  temperature?: number | undefined;
  maxTokens: number;
  /** The messages before the question, oldest first. The reader may stop after `maxHistoryBytes` of texts. */
  history: readonly HistoryMessage[];
  /** So many messages before `history` were not read. */
  unreadMessages?: number;
  question: string;
  /** Best first, with the numbers from 1 (`passagesOf`). */
  passages: readonly Passage[];
};

export type BuiltRequest = {
  request: ChatRequest;
  /** The passages in the request: the first ones. */
  passages: readonly Passage[];
  leftOut: { messages: number; passages: number };
  /** The most that one attempt uses and costs. */
  most: { inputTokens: number; outputTokens: number; costMicroUsd: number };
};

/** The JSON around the texts, and the notes of the service. */
const formBytes = 2048;

/** @returns undefined if the persona and the question alone are too long for the model */
export function buildRequest(parts: RequestParts): BuiltRequest | undefined {
  const { persona, model, temperature, maxTokens, history, unreadMessages = 0, question } = parts;
  const system = [frame, personaText(persona)];
  const asked = materialOf({ from: 'user', text: question });
  const room =
    requestLimitBytes(model) - formBytes - [...system, asked].reduce((sum, text) => sum + bytesOf(text), 0);
  if (room < 0) return undefined;

  // A small model needs room for the conversation, too.
  const shown = firstPassages(parts.passages, Math.floor(room / 2));
  const passages = parts.passages.slice(0, shown.count);
  const turns = newestTurns(history, Math.min(maxHistoryBytes, room - shown.bytes));
  const leftOut = {
    messages: unreadMessages + history.length - turns.length,
    passages: parts.passages.length - passages.length,
  };
  const request: ChatRequest = {
    modelId: model.id,
    system,
    messages: messagesOf(turns, leftOut.messages, [
      passagesNote(passages.length, leftOut.passages),
      ...(passages.length > 0 ? [shown.text] : []),
      asked,
    ]),
    maxTokens,
    ...(temperature !== undefined && { temperature }),
  };
  const tokens = {
    inputTokens: mostInputTokens(Buffer.byteLength(JSON.stringify(request))),
    outputTokens: maxTokens,
  };
  return { request, passages, leftOut, most: { ...tokens, costMicroUsd: costOf(tokens, model) } };
}

/** @returns how many passages have room, and their JSON */
function firstPassages(passages: readonly Passage[], room: number) {
  const texts: string[] = [];
  let bytes = 0;
  for (const passage of passages) {
    const text = shownPassage(passage);
    const added = bytesOf(text);
    if (bytes + added > room) break;
    bytes += added;
    texts.push(text);
  }
  return { count: texts.length, bytes, text: `[${texts.join(',')}]` };
}
