import type { Message } from '../../conversations/schema/message.ts';
import type { Cited, Passage } from './types.ts';

export const citationsOf = (
  _cited: readonly Cited[],
  _passages: readonly Passage[],
): Message['citations'] => [];
