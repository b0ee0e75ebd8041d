/** Documents with their contents, newest first. */

import { pagesOf } from '../../base/pages.ts';
import { KnowledgeDocument } from '../../documents/schema/document.ts';
import { getContents } from '../../documents/store/contents.ts';
import { deletedDocuments, listDocuments } from '../../documents/store/documents.ts';
import type { ProjectStore } from './files/store.ts';
import type { ExportRequest } from './schema.ts';
import type { Source } from './source.ts';

type Filters = Extract<ExportRequest, { what: 'documents' }>['filters'];

/** The first part of a content has at most 200 KB. Of longer texts, only one is read at the same time. */
const documentsAtOnce = 50;

export function documentSource(store: ProjectStore, { updatedFrom, ...values }: Filters): Source {
  const list = {
    status: values.status,
    ignored: undefined,
    tag: values.tag,
    source: values.source,
    externalId: undefined,
    updatedFromMs: updatedFrom,
    limit: documentsAtOnce,
  };
  return {
    async *lines(after) {
      const pages = pagesOf((next) => listDocuments(store, { ...list, after: next ?? (after || undefined) }));
      for await (const page of pages) {
        const items = await getContents(
          store,
          page.map(({ id }) => id),
        );
        const contents = new Map(items.map((one) => [one.id, one]));
        for (const document of page) {
          // A content that a file replaces is stored until the file is read.
          const content = document.extraction === 'pending' ? undefined : contents.get(document.id);
          // The content was deleted or replaced between the two reads. Its replacement would be in an export that starts now.
          if (!content && document.contentSha256 !== null) continue;
          const text = content ? await content.read() : null;
          const { mimeType, contentSha256 } = content ?? document;
          const fields = { ...KnowledgeDocument.parse(document), mimeType, contentSha256 };
          yield {
            id: document.id,
            isFirst: true,
            text: JSON.stringify({ ...fields, content: text }),
            position: document.id,
          };
        }
      }
    },

    async hasGone({ first, last, all }) {
      const range = { from: first, to: last, limit: 1000 };
      for await (const tombstones of pagesOf((after) =>
        deletedDocuments.at(store).page({ ...range, after }),
      )) {
        if (tombstones.some(({ id }) => all.has(id))) return true;
      }
      return false;
    },
  };
}
