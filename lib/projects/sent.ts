/** The fields of a project in requests. A function that only reads projects does not load this file. */

import * as z from 'zod';
import { metadata } from '../schema/metadata.ts';
import { ProjectSettings, projectDescription, projectName } from './schema.ts';

export const someSettings = z
  .strictObject({
    conversationTimeoutMinutes: ProjectSettings.shape.conversationTimeoutMinutes.exactOptional(),
    retentionDays: ProjectSettings.shape.retentionDays.exactOptional(),
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
export type SentProject = z.infer<typeof sentSchema>;
