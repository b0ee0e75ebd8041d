/** The creation and the replacement of avatars share these decisions. */

import type { IdKind } from '../base/ids.ts';
import { timestamp } from '../base/time.ts';
import { type Avatar, defaultLanguage, type SentAvatar } from './schema.ts';

/** @returns the fields that the caller sent, with the defaults of omitted fields */
export function contentOf(body: SentAvatar) {
  const { prompt, greeting = null, language = defaultLanguage } = body.persona;
  return {
    name: body.name,
    persona: { prompt, greeting, language },
    voice: body.voice ?? null,
    imageUrl: body.imageUrl ?? null,
    knowledgeTags: body.knowledgeTags ?? [],
    metadata: body.metadata ?? {},
  };
}

export function newAvatar(
  body: SentAvatar & { externalId: string | null },
  { caller, nowMs, newId }: { caller: { principal: string }; nowMs: number; newId: (kind: IdKind) => string },
): Avatar {
  const createdAt = timestamp(nowMs);
  return {
    id: newId('avatar'),
    externalId: body.externalId,
    ...contentOf(body),
    status: 'active',
    version: 1,
    createdAt,
    updatedAt: createdAt,
    createdBy: caller.principal,
  };
}
