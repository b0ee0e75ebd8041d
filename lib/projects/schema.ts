import * as z from 'zod';
import { id, shownCredential, shownTime, wholeNumber } from '../schema/common.ts';
import { maxFieldNameLength, metadata } from '../schema/metadata.ts';
import { externalIdOf } from '../schema/names.ts';
import { name, namePattern, text } from '../schema/text.ts';

export const projectName = name(100).meta({ description: 'A display name.', example: 'Support site' });

export const projectDescription = text(1000).meta({
  description: 'The purpose of the project.',
  example: 'Answers questions about orders.',
});

export const projectExternalId = externalIdOf('project, unique in the organisation', 'support-site');

const maxSearchFields = 10;

export const searchFields = z
  .array(
    name(maxFieldNameLength)
      .refine((field) => !field.includes(':'), 'must not contain a colon')
      .meta({
        description: 'A name in the metadata of documents.',
        pattern: namePattern.replaceAll('[^', '[^:'),
        example: 'country',
      }),
  )
  .max(maxSearchFields, `must have at most ${maxSearchFields} fields`)
  .refine((fields) => new Set(fields).size === fields.length, 'must not repeat a field')
  .meta({
    description:
      'The fields of the metadata of documents by which a search can filter, without colons. All documents are `pending` ' +
      'after a change: the next re-indexing gives the index the values, of up to 100 characters.',
    uniqueItems: true,
    example: ['country'],
  });

export const maxConversationCostUsd = z
  .number()
  .min(0.000_001)
  .max(1000)
  .nullable()
  .meta({
    description:
      'The most that the models of all replies of one conversation may cost, in US dollars; null for no limit besides the ' +
      'quota of the organisation. A reply whose highest cost does not fit is refused.',
    example: 0.5,
  });

export const ProjectSettings = z
  .object({
    conversationTimeoutMinutes: wholeNumber(1, 1440).meta({
      description:
        'A conversation ends by itself after this many minutes without a message. A new value applies from ' +
        'the next message on.',
      example: 30,
    }),
    retentionDays: wholeNumber(1, 3650)
      .nullable()
      .meta({
        description:
          'Conversations are removed this many days after their start; null keeps them. A shorter time takes ' +
          'effect at once.',
        example: 365,
      }),
    // A project that is stored without fields is older than them.
    searchFields: searchFields.default([]),
    maxConversationCostUsd: maxConversationCostUsd.default(null),
  })
  .meta({ id: 'ProjectSettings', description: 'The settings of the project.' });

export type ProjectSettings = z.infer<typeof ProjectSettings>;

const projectStatuses = ['active', 'archived', 'deleted'] as const;

export const Project = z
  .object({
    id: id('project'),
    externalId: projectExternalId.nullable(),
    name: projectName,
    description: projectDescription.nullable(),
    metadata,
    settings: ProjectSettings,
    status: z.enum(projectStatuses).meta({
      id: 'ProjectStatus',
      description:
        'Whether the project can be changed: an archived project is read-only. `deleted` appears only in the response ' +
        'to DELETE.',
      example: 'active',
    }),
    createdAt: shownTime().meta({ description: 'When the project was created.' }),
    updatedAt: shownTime().meta({ description: 'When the project was last changed.' }),
    createdBy: shownCredential().meta({
      description:
        'The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an ' +
        'access token.',
    }),
  })
  .meta({
    id: 'Project',
    description: 'The container of avatars, knowledge, deployments and conversations.',
  });

export type Project = z.infer<typeof Project>;
