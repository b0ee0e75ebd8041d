/** The hash identifies the content of a configuration: equal content has an equal hash. */

import { hash } from 'node:crypto';
import { canonicalJson } from '../../base/json.ts';
import type { FrozenAvatar } from './schema.ts';

/**
 * @returns SHA-256, in hex, of this content as canonical JSON (RFC 8785):
 *   `{"avatars":{"<id>":{imageUrl,knowledgeTags,metadata,name,persona,voice},…},"knowledgeIndexVersion"}`
 */
export function configHashOf(avatars: readonly FrozenAvatar[], knowledgeIndexVersion: string | null): string {
  const contents = avatars.map(({ id, name, persona, voice, imageUrl, knowledgeTags, metadata }) => [
    id,
    { name, persona, voice, imageUrl, knowledgeTags, metadata },
  ]);
  return hash('sha256', canonicalJson({ avatars: Object.fromEntries(contents), knowledgeIndexVersion }));
}
