/** The query parameters that narrow a search in documents. */

import * as z from 'zod';
import { ApiError, invalidField } from '../../base/errors.ts';
import { tag } from '../../documents/schema/tag.ts';
import { fitsIndex, maxFieldLength } from '../../documents/store/search-fields.ts';
import { id } from '../../schema/common.ts';
import { maxFieldNameLength } from '../../schema/metadata.ts';
import { text } from '../../schema/text.ts';
import type { Filter } from '../../search/index/common/search-index.ts';
import type { Manifest } from '../store/versions.ts';

const maxTags = 20;
const maxDocuments = 10;
const maxFields = 3;

const metadataFilter = text(maxFieldNameLength + 1 + maxFieldLength)
  .regex(/^[^:]+:/, 'must be a field and a value with a colon between them: country:DE')
  .refine((filter) => fitsIndex(filter.slice(filter.indexOf(':') + 1)), {
    error: `must have a value of at most ${maxFieldLength} characters`,
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ description: 'A field of the metadata, a colon, and its value.', example: 'country:DE' });

export const searchFilters = {
  tag: z
    .array(tag)
    .max(maxTags, `must have at most ${maxTags} tags`)
    .optional()
    .meta({
      description: `Only documents with this tag. It can be repeated, at most ${maxTags} times: \`tagMode\` says what then holds.`,
      example: ['returns'],
    }),
  tagMode: z
    .enum(['all', 'any'])
    .optional()
    .meta({
      description: '`all` finds documents with all tags, `any` documents with at least one of them.',
      documentedAs: { type: 'string', enum: ['all', 'any'], default: 'all' },
    }),
  documentId: z
    .array(id('knowledgeDocument'))
    .max(maxDocuments, `must have at most ${maxDocuments} documents`)
    .optional()
    .meta({
      description:
        `Only this document. It can be repeated, at most ${maxDocuments} times, to search in several. For more than three ` +
        'pieces of a document, send `perDocument`, too.',
    }),
  metadata: z
    .array(metadataFilter)
    .max(maxFields, `must have at most ${maxFields} filters`)
    .optional()
    .meta({
      description:
        `Only documents whose metadata has this value: \`country:DE\`. At most ${maxFields}, and all must hold. The field is one of ` +
        '`settings.searchFields` of the project.',
      example: ['country:DE'],
    }),
};

const query = z.object(searchFilters);

/**
 * @param searchFields of the project
 * @param manifest of the version that is searched. The fields that it has can be used also when the project has others now
 * @throws ApiError validation_error, or reindex_required if the version is older than the fields
 */
export function filterOf(
  { tag, tagMode, documentId, metadata = [] }: z.infer<typeof query>,
  { searchFields: indexed = [] }: Pick<Manifest, 'searchFields'>,
  searchFields: readonly string[],
): Filter {
  const fields = metadata.map((filter) => {
    const at = filter.indexOf(':');
    return { name: filter.slice(0, at), value: filter.slice(at + 1) };
  });
  const lacking = fields.filter(({ name }) => !indexed.includes(name));
  const unknown = fields.findIndex((field) => lacking.includes(field) && !searchFields.includes(field.name));
  if (unknown !== -1) {
    const known = [...new Set([...searchFields, ...indexed])];
    throw invalidField(`metadata.${unknown}`, refusalOf(known));
  }
  if (lacking.length > 0) {
    const names = [...new Set(lacking.map(({ name }) => name))].join(', ');
    throw new ApiError('reindex_required', `The searched index version has no ${names}. ${whatToDo}`);
  }
  return { tags: tag, tagMode, documentIds: documentId, fields };
}

const whatToDo =
  'Re-index the documents. If the version is that of an environment, then deploy to the environment, too.';

const refusalOf = (fields: readonly string[]) =>
  fields.length === 0
    ? 'needs a field, and `settings.searchFields` of the project has none'
    : `must begin with one of these fields and a colon: ${fields.join(', ')}`;
