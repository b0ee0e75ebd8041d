/** The query parameters that narrow a search in documents. */

import * as z from 'zod';
import { tag } from '../../documents/schema/tag.ts';
import { id } from '../../schema/common.ts';
import type { Filter } from '../../search/index/common/search-index.ts';

const maxTags = 20;
const maxDocuments = 10;

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
};

const query = z.object(searchFilters);

export const filterOf = ({ tag, tagMode, documentId }: z.infer<typeof query>): Filter => ({
  tags: tag,
  tagMode,
  documentIds: documentId,
});
