/** A project in requests, and what its creation and replacement share. Functions that only read projects do not load it. */

import * as z from 'zod';
import type { IdKind } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import { timestamp } from '../base/time.ts';
import { metadata } from '../schema/metadata.ts';
import {
  maxConversationCostUsd,
  type Project,
  ProjectSettings,
  projectDescription,
  projectName,
  searchFields,
} from './schema.ts';
import { defaultSettings } from './store.ts';

export const someSettings = z
  .strictObject({
    conversationTimeoutMinutes: ProjectSettings.shape.conversationTimeoutMinutes.exactOptional(),
    retentionDays: ProjectSettings.shape.retentionDays.exactOptional(),
    searchFields: searchFields.exactOptional(),
    maxConversationCostUsd: maxConversationCostUsd.exactOptional(),
  })
  .meta({
    id: 'ProjectSettingsChange',
    description:
      'The settings to set. PATCH keeps the other settings, POST and PUT set them to their defaults.',
  });

export const sentProject = {
  name: projectName,
  description: projectDescription.nullable().optional(),
  metadata: metadata.optional(),
  settings: someSettings.optional(),
};

const sentSchema = z.strictObject(sentProject);
type SentProject = z.infer<typeof sentSchema>;

type Content = Pick<Project, 'name' | 'description' | 'metadata' | 'settings'>;

/** @returns the fields that the caller sent, with the defaults of omitted fields */
export const contentOf = ({ name, description, metadata, settings }: SentProject): Content => ({
  name,
  description: description ?? null,
  metadata: metadata ?? {},
  settings: { ...defaultSettings, ...settings },
});

export const hasContent = ({ name, description, metadata, settings }: Project, content: Content): boolean =>
  canonicalJson({ name, description, metadata, settings: { ...defaultSettings, ...settings } }) ===
  canonicalJson(content);

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
