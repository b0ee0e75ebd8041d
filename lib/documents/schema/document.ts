import * as z from 'zod';
import { readerVersion } from '../../readers/types.ts';
import { id, shownCredential, shownTime } from '../../schema/common.ts';
import { failure } from '../../schema/failure.ts';
import { metadata } from '../../schema/metadata.ts';
import { outcome } from '../../schema/names.ts';
import { name } from '../../schema/text.ts';
import { extractionNotes } from './extraction-note.ts';
import { isSourceName } from './source-name.ts';
import { tag } from './tag.ts';

/** The limit of the content in a request, and of each part of a longer text. */
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

/** A media type (RFC 9110, section 8.3.1) as people write it. What it says is checked when the file is read. */
const maxFileTypeLength = 200;
export const fileMimeType = z
  .string()
  .max(maxFileTypeLength, `must be at most ${maxFileTypeLength} characters`)
  .regex(
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*(;[ -~]*)?$/,
    'must be a media type such as text/csv; charset=windows-1251',
  )
  .meta({
    description: 'A media type, also with parameters.',
    example: 'text/csv; charset=windows-1251',
  });

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

/** The fields of a document in a request, besides its content. */
const documentFields = {
  source: sentSource.nullable().default(null),
  title: documentTitle,
  tags: tags.default([]),
  metadata: metadata.default({}),
};

/** The fields of a whole document in a request. */
export const sentDocument = {
  ...documentFields,
  content: documentContent,
  mimeType: mimeType.default('text/plain'),
};

/** @returns the schema of a whole document that is sent with its content, or as an uploaded file */
export const documentOrFile = <Further extends z.ZodRawShape>(further: Further) =>
  z
    .strictObject({
      ...documentFields,
      ...further,
      content: documentContent.optional(),
      uploadId: id('upload')
        .optional()
        .meta({
          description:
            'An upload with the purpose `knowledge`, in place of `content`: its text becomes the content. Its type is ' +
            'found by its content: PDF, DOCX, RTF, HTML, EML, MHTML, Markdown, plain text, CSV or TSV.',
        }),
      mimeType: fileMimeType.optional().meta({
        description:
          'The format. Of a content, `text/plain` (the default), `text/markdown` or `text/html`. Of a file, any media type, as a ' +
          'hint: its `charset` is the encoding if the bytes fit it. The same file with another hint is read again.',
        example: 'text/markdown',
      }),
    })
    .check(({ value, issues }) => {
      const {
        content,
        uploadId,
        mimeType: type,
      } = value as {
        content?: string;
        uploadId?: string;
        mimeType?: string;
      };
      const refuse = (path: string, message: string) =>
        issues.push({ code: 'custom', message, path: [path], input: value });
      if (content === undefined && uploadId === undefined) refuse('content', 'must be sent, or uploadId');
      if (content !== undefined && uploadId !== undefined)
        refuse('uploadId', 'must not be sent with content');
      if (uploadId === undefined && type !== undefined && !mimeType.safeParse(type).success)
        refuse('mimeType', `must be ${mimeType.options.join(', ')}, unless a file is sent`);
    });

const contentFields = {
  mimeType,
  bytes: z.int().meta({ description: 'The size of the content in UTF-8.', example: 26 }),
  contentSha256: z.string().meta({
    description: 'The SHA-256 of the content in UTF-8, in hexadecimal.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  }),
};

export const extraction = z.enum(['pending', 'done', 'failed']).meta({
  id: 'Extraction',
  description: 'Whether the text of a file has become the content of the document.',
  example: 'done',
});

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
    bytes: contentFields.bytes.nullable().meta({
      description:
        'The size of the content in UTF-8. Null if there is no content, because of the `extraction`.',
    }),
    contentSha256: contentFields.contentSha256.nullable().meta({
      description: 'The SHA-256 of the content in UTF-8, in hexadecimal. Null if there is no content.',
    }),
    extraction: extraction.nullable().meta({
      description:
        'Whether the text of the file has become the content. Null if the content was not sent as a file.',
    }),
    extractionError: failure
      .nullable()
      .meta({ description: 'Why the file has no text. Null unless `extraction` is `failed`.' }),
    fileSha256: z
      .string()
      .nullable()
      .meta({
        description:
          'The SHA-256 of the file, in hexadecimal. Null before its extraction, without a file, and if the extraction has ' +
          'failed for a reason that is not in the file, such as a quota.',
      }),
    fileMimeType: fileMimeType
      .nullable()
      .default(null)
      .meta({ description: 'The media type that was sent with the file. Null if there was none.' }),
    extractionNotes: extractionNotes.default([]),
    extractedBy: z
      .int()
      .nullable()
      .default(null)
      .meta({
        description:
          'The version of the readers that have read the file or the page. Later versions may read more: `readerVersion` of the ' +
          'list is the current one. Null before the file is read, and if the content was sent.',
        example: readerVersion,
      }),
    tags,
    metadata,
    status: documentStatus,
    error: failure
      .nullable()
      .meta({ description: 'Why it could not be indexed. Null unless `status` is `failed`.' }),
    ignored: z.boolean().meta({
      description:
        'Whether the document is left out of the next indexes and of all warnings. Its `status` stays as it was.',
      example: false,
    }),
    indexVersion: z.string().nullable().meta({
      description: 'The index version that first included the latest version of the document. Null before.',
    }),
    createdAt: shownTime().meta({ description: 'When the document was created.' }),
    updatedAt: shownTime().meta({ description: 'When it was last changed. Indexing does not count.' }),
    createdBy: shownCredential().meta({
      description:
        'The credential that created it: an API key, `wid_…:` and the subject of a token, or `sub:` and the subject of an ' +
        'access token.',
    }),
  })
  .meta({ id: 'KnowledgeDocument', description: 'A document of a project, without its content.' });

/** As it may be stored: documents of earlier versions of the service lack the fields that have a default. */
export type KnowledgeDocument = z.input<typeof KnowledgeDocument>;

export const DocumentContent = z
  .object({
    content: documentContent.meta({ description: 'The content, or a part of it: at most 200 KB in UTF-8.' }),
    ...contentFields,
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor` to get the next part. Null with the last part.' }),
  })
  .meta({
    id: 'DocumentContent',
    description:
      'The content of a document, or a part of it. `bytes` and `contentSha256` are of the whole content.',
  });

/** The whole content of a document. */
export type DocumentContent = Omit<z.infer<typeof DocumentContent>, 'nextCursor'>;

export const UpsertedDocument = z
  .object({
    outcome,
    document: KnowledgeDocument.meta({ description: 'The document as it is stored.' }),
  })
  .meta({ id: 'UpsertedDocument', description: 'A document and the outcome of the request.' });

export type UpsertedDocument = z.input<typeof UpsertedDocument>;
