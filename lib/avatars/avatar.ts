/** The decisions that creating and replacing avatars share. */

import type { IdKind } from '../base/ids.ts';
import { timestamp } from '../base/time.ts';
import { type Avatar, defaultLanguage, type SentAvatar } from './schema.ts';

/** @returns the sent fields, with the defaults of omitted fields */
export function contentOf(sent: SentAvatar) {
  const { prompt, greeting = null, language = defaultLanguage } = sent.persona;
  return {
    name: sent.name,
    persona: { prompt, greeting, language },
    voice: sent.voice ?? null,
    imageUrl: sent.imageUrl ?? null,
    knowledgeTags: sent.knowledgeTags ?? [],
    metadata: sent.metadata ?? {},
  };
}

export function newAvatar(
  sent: SentAvatar & { externalId: string | null },
  { caller, nowMs, newId }: { caller: { principal: string }; nowMs: number; newId: (kind: IdKind) => string },
): Avatar {
  const createdAt = timestamp(nowMs);
  return {
    id: newId('avatar'),
    externalId: sent.externalId,
    ...contentOf(sent),
    status: 'active',
    version: 1,
    createdAt,
    updatedAt: createdAt,
    createdBy: caller.principal,
  };
}
