import * as z from 'zod';
import { id, shownCredential, shownTime } from '../../schema/common.ts';
import { outcome } from '../../schema/external-id.ts';
import { failure } from '../../schema/failure.ts';
import { metadata } from '../../schema/metadata.ts';
import { name } from '../../schema/text.ts';
import { isSourceName } from './source-name.ts';
import { tag } from './tag.ts';

export const maxContentBytes = 200 * 1024;
const maxTags = 20;

export const documentTitle = name(200).meta({ description: 'A display name.', example: 'Returns' });

export const externalId = name(255).meta({
  description: 'Your own id of the document: up to 255 characters, unique within its source.',
  example: 'handbook/returns.md',
});

export const source = name(255).meta({
  description:
    'The folder or system that the document comes from. An `externalId` is unique within a source, and among ' +
    'documents without a source.',
  example: 'handbook',
});

/** A source names its documents after itself. */
export const sentSource = source.refine((value) => !isSourceName(value), 'must not be the id of a source');

export const mimeType = z
  .enum(['text/plain', 'text/markdown', 'text/html'])
  .meta({ id: 'MimeType', description: 'The format of the content.', example: 'text/markdown' });

export const documentContent = z
  .string()
  .min(1, 'must not be empty')
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
  .refine((text) => Buffer.byteLength(text) <= maxContentBytes, 'must be at most 200 KB in UTF-8')
  .meta({
    description: 'The content: well-formed Unicode, at most 200 KB in UTF-8.',
    maxLength: maxContentBytes,
    example: '# Returns\n\nWithin 30 days.',
  });

export const tags = z
  .array(tag)
  .max(maxTags, `must have at most ${maxTags} tags`)
  .refine((names) => new Set(names).size === names.length, 'must not repeat a tag')
  .meta({
    description: 'Labels to filter by. Their order does not matter.',
    uniqueItems: true,
    example: ['returns'],
  });

export const documentStatus = z.enum(['pending', 'indexed', 'failed']).meta({
  id: 'DocumentStatus',
  description:
    'Whether the index includes the latest version of the document. `pending` until it does, or until that has failed.',
  example: 'pending',
});

/** What a whole document is sent as. */
export const sentDocument = {
  source: sentSource.nullable().default(null),
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
    url: z.string().optional().meta({
      description: 'The address of the page that it comes from. Only for documents of a source.',
      example: 'https://docs.acme.example/returns',
    }),
    ...contentFields,
    tags,
    metadata,
    status: documentStatus,
    error: failure
      .nullable()
      .meta({ description: 'Why it could not be indexed. Null unless `status` is `failed`.' }),
    indexVersion: z.string().nullable().meta({
      description: 'The index version that first included the latest version of the document. Null before.',
    }),
    createdAt: shownTime().meta({ description: 'When the document was created.' }),
    updatedAt: shownTime().meta({ description: 'When it was last changed. Indexing does not count.' }),
    createdBy: shownCredential().meta({
      description: 'The API key that created it, or `sub:` and the subject of an access token.',
    }),
  })
  .meta({ id: 'KnowledgeDocument', description: 'A document of a project, without its content.' });

export type KnowledgeDocument = z.infer<typeof KnowledgeDocument>;

export const DocumentContent = z
  .object({ content: documentContent, ...contentFields })
  .meta({ id: 'DocumentContent', description: 'The content of a document, exactly as it was sent.' });

export type DocumentContent = z.infer<typeof DocumentContent>;

export const UpsertedDocument = z
  .object({
    outcome,
    document: KnowledgeDocument.meta({ description: 'The document as it is stored.' }),
  })
  .meta({ id: 'UpsertedDocument', description: 'A document and the outcome of the request.' });

export type UpsertedDocument = z.infer<typeof UpsertedDocument>;
