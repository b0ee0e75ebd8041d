/** The commands of documents, for one document at a time. `knowledge sync` is for folders. */

import type { Command } from 'commander';
import type {
  KnowledgeDocumentCreateRequest,
  KnowledgeDocumentPutRequest,
  KnowledgeDocumentsListQuery,
  KnowledgeDocumentUpdateRequest,
  MimeType,
} from '../../../clients/typescript/src/index.ts';
import { documentFrom } from '../../../clients/typescript/src/node.ts';
import { checkId, type Define, wholeNumber } from '../command.ts';
import { externalIdFilter, putHelp } from '../external-ids.ts';
import { bodyFrom, confirm, metadataFrom, readTextFile } from '../input.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';
import { timeFrom } from '../period.ts';

type Fields = {
  file?: string;
  title?: string;
  source?: string;
  externalId?: string;
  mimeType?: MimeType;
  tag?: string[];
  metadata?: string[];
  data?: string;
};

const fieldOptions = [
  ['--file <path>', 'its content; also gives the title and the type'],
  ['--title <text>', 'a display name'],
  ['--source <name>', 'the folder or system that it comes from'],
  ['--external-id <id>', 'your own id, unique within the source'],
  ['--mime-type <type>', 'the format', { choices: ['text/plain', 'text/markdown', 'text/html'] }],
  ['--tag <tag>', 'a label; several times', { repeat: true }],
  ['--metadata <key=value>', 'your own data; several times', { repeat: true }],
  ['--data <json>', 'the whole body: JSON, @file, or - for standard input'],
] as const;

const addHint = '`platform knowledge add` adds PDF, DOCX, and text in other encodings.';

async function fieldsFrom({ file, title, source, externalId, mimeType, tag, metadata }: Fields) {
  const document = file === undefined ? undefined : documentFrom(file, await readTextFile(file, addHint));
  return {
    title: title ?? document?.title,
    content: document?.content,
    mimeType: mimeType ?? document?.mimeType,
    source,
    externalId,
    tags: tag,
    metadata: metadataFrom(metadata),
  };
}

export function addDocuments(program: Command, define: Define): void {
  const parent = program
    .command('documents')
    .summary('Documents of a project')
    .description('Documents of a project.');

  type Filters = Omit<KnowledgeDocumentsListQuery, 'updatedFrom'> & { updatedFrom?: string };
  define<ListOptions & Filters>(parent, {
    name: 'list',
    summary: 'Lists the documents, newest first',
    project: true,
    options: [
      ...listOptions,
      ['--status <status>', 'only documents with this status', { choices: ['pending', 'indexed', 'failed'] }],
      ['--ignored', 'only those that are ignored'],
      ['--no-ignored', 'only those that are not ignored'],
      ['--source <name>', 'only those of this source'],
      ['--tag <tag>', 'only those with this tag'],
      externalIdFilter,
      ['--extraction-note <code>', 'only those with this note, such as pages_without_text'],
      [
        '--extracted-before <version>',
        'only those that earlier readers have read',
        { parse: wholeNumber('--extracted-before', 1, 9999) },
      ],
      ['--updated-from <time>', 'only those changed then or later, such as 7d'],
    ],
    examples: [
      'documents list --source handbook',
      'documents list --status failed --no-ignored --json',
      'documents list --extraction-note comments_left_out',
    ],
    run: (session, { status, ignored, source, tag, externalId, updatedFrom: from, ...rest }) => {
      const { extractionNote, extractedBefore, ...options } = rest;
      const nowMs = session.shell.nowMs();
      const updatedFrom = from === undefined ? undefined : timeFrom('--updated-from', from, undefined, nowMs);
      const filters = {
        ...{ status, ignored, source, tag, externalId, updatedFrom },
        ...{ extractionNote, extractedBefore },
      };
      return printList(
        session,
        options,
        (page) => session.project.knowledge.documents.list({ ...filters, ...page }),
        {
          id: ({ id }) => id,
          title: ({ title }) => title,
          status: ({ status: one }) => one,
          ignored: ({ ignored: one }) => (one ? 'ignored' : ''),
          updated: ({ updatedAt }) => updatedAt,
          source: ({ source: one }) => one,
          'external id': ({ externalId: one }) => one,
          bytes: ({ bytes }) => bytes,
        },
      );
    },
  });

  define(parent, {
    name: 'get <id>',
    summary: 'Shows a document, without its content',
    project: true,
    examples: ['documents get kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: async ({ project, out }, _options, id) =>
      out.item(await project.knowledge.documents.get(checkId(id))),
  });

  define(parent, {
    name: 'content <id>',
    summary: 'Prints the content of a document',
    details:
      'In a pipe or a file, the output is exactly the stored content. In a terminal, control characters are left ' +
      'out.',
    project: true,
    examples: ['documents content kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E > page.md'],
    async run({ project, out }, _options, id) {
      const { documents } = project.knowledge;
      const document = await documents.content(checkId(id));
      // A long content has several parts.
      for (let cursor = document.nextCursor; cursor !== null; cursor = document.nextCursor) {
        const next = await documents.content(id, { cursor });
        document.content += next.content;
        document.nextCursor = next.nextCursor;
      }
      await (out.json ? out.jsonLine(document) : out.data(document.content));
    },
  });

  define<Fields>(parent, {
    name: 'create',
    summary: 'Creates a document',
    project: true,
    creates: true,
    options: fieldOptions,
    examples: ['documents create --file returns.md --tag shop'],
    async run({ project, shell, out }, options) {
      const body = await bodyFrom<KnowledgeDocumentCreateRequest>(
        shell,
        options.data,
        await fieldsFrom(options),
      );
      await out.item(
        await project.knowledge.documents.create(body, { idempotencyKey: options.idempotencyKey }),
      );
    },
  });

  define<Omit<Fields, 'externalId'>>(parent, {
    name: 'put <external-id>',
    summary: 'Creates or replaces the document with an id of your own',
    details: `${putHelp} The id is unique within the --source.`,
    project: true,
    options: fieldOptions.filter(([flags]) => flags !== '--external-id <id>'),
    examples: ['documents put shop/returns.md --source shop --file returns.md'],
    async run({ project, shell, out }, options, externalId) {
      const { externalId: _, ...fields } = await fieldsFrom(options);
      const body = await bodyFrom<KnowledgeDocumentPutRequest>(shell, options.data, fields);
      const { outcome, document } = await project.knowledge.documents.put(externalId, body);
      await out.item({ outcome, ...document });
    },
  });

  define<Fields>(parent, {
    name: 'update <id>',
    summary: 'Changes a document',
    project: true,
    options: fieldOptions,
    examples: ['documents update kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --file returns.md'],
    async run({ project, shell, out }, options, id) {
      const body = await bodyFrom<KnowledgeDocumentUpdateRequest>(
        shell,
        options.data,
        await fieldsFrom(options),
      );
      await out.item(await project.knowledge.documents.update(checkId(id), body));
    },
  });

  define<{ yes?: boolean; expunge?: boolean }>(parent, {
    name: 'delete <id>',
    summary: 'Deletes a document',
    details:
      'The index keeps its text until the next re-indexing. With --expunge, a job removes it from all index versions.',
    project: true,
    options: [
      ['--expunge', 'removes its text from all index versions too'],
      ['--yes', 'without a question'],
    ],
    examples: ['documents delete kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --yes'],
    async run({ project, shell, out }, { yes, expunge }, id) {
      await confirm(shell, `Delete the document ${checkId(id)}?`, yes);
      await out.item(await project.knowledge.documents.delete(id, expunge ? { expunge } : {}));
    },
  });
}
