/** What the parts of a request to a model share. */

import type * as z from 'zod';
import type { ChatRequest } from '../../models/models.ts';
import type { SearchHit } from '../../search/schema/search.ts';

export type ChatMessage = ChatRequest['messages'][number];

/** What a model must know of an avatar. */
export type Persona = { name: string; prompt: string; language: string };

/** A stored message of the conversation, before the question. */
export type HistoryMessage = { role: 'user' | 'avatar' | 'system' | 'tool'; text: string };

export type Hit = z.infer<typeof SearchHit>;

/** A piece of a document in a request. The model cites its number. */
export type Passage = Pick<
  Hit,
  | 'documentId'
  | 'pieceId'
  | 'title'
  | 'heading'
  | 'page'
  | 'url'
  | 'snippet'
  | 'score'
  | 'scores'
  | 'matchedWords'
> & {
  /** From 1, without gaps. */
  number: number;
  /** The text as the request has it: the piece, or its beginning if `isCut`. */
  text: string;
  isCut: boolean;
};

/** A marker that the model has written: the number of a passage, and where it was in the stored text, in UTF-16 code units. */
export type Cited = { number: number; at: number };
