/** The creation and the replacement of avatars share these decisions. */

import { invalidField } from '../base/errors.ts';
import type { IdKind } from '../base/ids.ts';
import { timestamp } from '../base/time.ts';
import { type Avatar, defaultLanguage, type SentAvatar } from './schema.ts';

/** As JSON in UTF-8. An event has the JSON of its avatar in an item, which has at most 400 KB. */
export const maxAvatarBytes = 384 * 1024;

/**
 * @returns the avatar
 * @throws ApiError validation_error if it is too large as a whole. Only texts of control characters reach this size, because each
 *   takes six bytes of JSON
 */
export function checkedSize(avatar: Avatar): Avatar {
  if (Buffer.byteLength(JSON.stringify(avatar)) <= maxAvatarBytes) return avatar;
  throw invalidField('', `the avatar must be at most ${maxAvatarBytes} bytes of UTF-8 as JSON`);
}

/** @returns the fields that the caller sent, with the defaults of omitted fields */
export function contentOf(body: SentAvatar) {
  const { prompt, greeting = null, language = defaultLanguage } = body.persona;
  return {
    name: body.name,
    persona: { prompt, greeting, language },
    voice: body.voice ?? null,
    imageUrl: body.imageUrl ?? null,
    knowledgeTags: body.knowledgeTags ?? [],
    model: body.model ?? null,
    runtime: body.runtime ?? null,
    metadata: body.metadata ?? {},
  };
}

export function newAvatar(
  body: SentAvatar & { externalId: string | null },
  { caller, nowMs, newId }: { caller: { principal: string }; nowMs: number; newId: (kind: IdKind) => string },
): Avatar {
  const createdAt = timestamp(nowMs);
  return checkedSize({
    id: newId('avatar'),
    externalId: body.externalId,
    ...contentOf(body),
    status: 'active',
    version: 1,
    createdAt,
    updatedAt: createdAt,
    createdBy: caller.principal,
  });
}
