import * as z from 'zod';
import { id, shownTime } from '../../schema/common.ts';
import { metadata } from '../../schema/metadata.ts';
import { name } from '../../schema/text.ts';
import { tag } from './tag.ts';

export const maxContentBytes = 200 * 1024;
const maxTags = 20;

export const documentTitle = name(200).meta({ description: 'What people call it.', example: 'Returns' });

export const externalId = name(255).meta({
  description:
    'Its name in its source: up to 255 characters, unique in the project among the documents of one source.',
  example: 'handbook/returns.md',
});

export const source = name(255).meta({
  description:
    'Where it comes from: one name for each folder or system that is synchronised. Documents of different sources may ' +
    'have the same `externalId`, and so may a document without a source.',
  example: 'handbook',
});

export const mimeType = z
  .enum(['text/plain', 'text/markdown', 'text/html'])
  .meta({ description: 'How to read the content.', example: 'text/markdown' });

export const documentContent = z
  .string()
  .min(1, 'must not be empty')
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
  .refine((text) => Buffer.byteLength(text) <= maxContentBytes, 'must be at most 200 KB in UTF-8')
  .meta({
    description: 'Well-formed Unicode, at most 200 KB in UTF-8.',
    maxLength: maxContentBytes,
    example: '# Returns\n\nWithin 30 days.',
  });

export const tags = z
  .array(tag)
  .max(maxTags, `must have at most ${maxTags} tags`)
  .refine((names) => new Set(names).size === names.length, 'must not repeat a tag')
  .meta({
    description: 'Names to filter by; their order has no meaning.',
    uniqueItems: true,
    example: ['returns'],
  });

export const documentStatus = z.enum(['pending', 'indexed', 'failed']).meta({
  description: '`pending` until the index holds the document as it is now.',
  example: 'pending',
});

/** What a whole document is sent as. */
export const sentDocument = {
  source: source.nullable().default(null),
  title: documentTitle,
  content: documentContent,
  mimeType: mimeType.default('text/plain'),
  tags: tags.default([]),
  metadata: metadata.default({}),
};

const contentFields = {
  mimeType,
  bytes: z.int().meta({ description: 'The size of the content in UTF-8.', example: 26 }),
  contentSha256: z.string().meta({
    description: 'The SHA-256 of the content in UTF-8, in hexadecimal.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  }),
};

export const KnowledgeDocument = z
  .object({
    id: id('knowledgeDocument'),
    title: documentTitle,
    source: source.nullable(),
    externalId: externalId.nullable(),
    ...contentFields,
    tags,
    metadata,
    status: documentStatus,
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why it could not be indexed, where `status` is `failed`.' }),
    indexVersion: z
      .string()
      .nullable()
      .meta({ description: 'The version of the index that first held the document as it is now.' }),
    createdAt: shownTime(),
    updatedAt: shownTime().meta({ description: 'When somebody last changed it; indexing does not count.' }),
    createdBy: z.string().meta({
      description: 'The API key that created it.',
      example: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
    }),
  })
  .meta({ id: 'KnowledgeDocument', description: 'A text that a project knows, without its content.' });

export type KnowledgeDocument = z.infer<typeof KnowledgeDocument>;

export const DocumentContent = z
  .object({ content: documentContent, ...contentFields })
  .meta({ id: 'DocumentContent', description: 'The content of a document, exactly as it was sent.' });

export type DocumentContent = z.infer<typeof DocumentContent>;

export const UpsertedDocument = z
  .object({
    outcome: z
      .enum(['created', 'updated', 'unchanged'])
      .meta({ description: '`unchanged`: it was so already, and nothing was written.', example: 'updated' }),
    document: KnowledgeDocument,
  })
  .meta({ id: 'UpsertedDocument', description: 'A document, and what became of it.' });

export type UpsertedDocument = z.infer<typeof UpsertedDocument>;
