/** The creation and the replacement of projects share these decisions. */

import type { IdKind } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import { timestamp } from '../base/time.ts';
import type { Project } from './schema.ts';
import type { SentProject } from './sent.ts';
import { defaultSettings } from './store.ts';

type Content = Pick<Project, 'name' | 'description' | 'metadata' | 'settings'>;

/** @returns the fields that the caller sent, with the defaults of omitted fields */
export const contentOf = ({ name, description, metadata, settings }: SentProject): Content => ({
  name,
  description: description ?? null,
  metadata: metadata ?? {},
  settings: { ...defaultSettings, ...settings },
});

export const hasContent = ({ name, description, metadata, settings }: Project, content: Content): boolean =>
  canonicalJson({ name, description, metadata, settings }) === canonicalJson(content);

export function newProject(
  body: SentProject & { externalId: string | null },
  { caller, nowMs, newId }: { caller: { principal: string }; nowMs: number; newId: (kind: IdKind) => string },
): Project {
  const createdAt = timestamp(nowMs);
  return {
    id: newId('project'),
    externalId: body.externalId,
    ...contentOf(body),
    status: 'active',
    createdAt,
    updatedAt: createdAt,
    createdBy: caller.principal,
  };
}
