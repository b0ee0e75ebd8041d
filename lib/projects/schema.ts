import * as z from 'zod';
import { id, shownTime, wholeNumber } from '../schema/common.ts';
import { metadata } from '../schema/metadata.ts';
import { name, text } from '../schema/text.ts';

export const projectName = name(100).meta({ description: 'What people call it.', example: 'Support site' });

export const projectDescription = text(1000).meta({
  description: 'What it is for.',
  example: 'Answers questions about orders.',
});

export const ProjectSettings = z
  .object({
    conversationTimeoutMinutes: wholeNumber(1, 1440).meta({
      description:
        'A conversation ends by itself when so many minutes pass without a message. Counts from its next message on.',
      example: 30,
    }),
    retentionDays: wholeNumber(1, 3650).nullable().meta({
      description:
        'Conversations are gone so many days after they started; null keeps them. A shorter time counts at once.',
      example: 365,
    }),
  })
  .meta({ id: 'ProjectSettings' });

export type ProjectSettings = z.infer<typeof ProjectSettings>;

/** Some of the settings; the others stay as they are. */
export const someSettings = z.strictObject({
  conversationTimeoutMinutes: ProjectSettings.shape.conversationTimeoutMinutes.exactOptional(),
  retentionDays: ProjectSettings.shape.retentionDays.exactOptional(),
});

export const projectStatuses = ['active', 'archived', 'deleted'] as const;

export const Project = z
  .object({
    id: id('project'),
    name: projectName,
    description: projectDescription.nullable(),
    metadata,
    settings: ProjectSettings,
    status: z
      .enum(projectStatuses)
      .meta({ description: '`deleted` is shown only by the answer to DELETE.', example: 'active' }),
    createdAt: shownTime(),
    updatedAt: shownTime(),
    createdBy: z.string().meta({
      description: 'The API key that created it, or `sub:` and the subject of an access token.',
      example: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    }),
  })
  .meta({
    id: 'Project',
    description: 'The container for everything else: avatars, knowledge, deployments, conversations.',
  });

export const DeletedProject = Project.extend({
  purgeAt: shownTime().meta({ description: 'Until when it can be restored. It is purged then.' }),
}).meta({ id: 'DeletedProject', description: 'A project as its deletion shows it.' });

export type Project = z.infer<typeof Project>;
