/** The command `knowledge ignore` leaves out documents that no index needs, such as a scan without a text. */

import type { Command } from 'commander';
import type { KnowledgeDocument } from '../../../clients/typescript/src/index.ts';
import type { Define } from '../command.ts';
import { CliError } from '../errors.ts';
import { safeLine } from '../output/text.ts';
import { idOf } from '../resources.ts';
import type { Session } from '../session.ts';

type IgnoreOptions = { source?: string; undo?: boolean };

export function addIgnore(parent: Command, define: Define): void {
  define<IgnoreOptions>(parent, {
    name: 'ignore <id...>',
    summary: 'Leaves documents out of the index and of all warnings',
    details:
      'The command is for documents that you want to keep although they cannot be read, such as a scan without a text. The ' +
      'documents are not deleted, and a synchronisation keeps them ignored. --undo makes them part of the index again.',
    project: true,
    options: [
      ['--source <name>', 'the ids are externalIds of this source, such as the paths of its files'],
      ['--undo', 'no longer ignores them'],
    ],
    examples: [
      'knowledge ignore kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
      'knowledge ignore scans/warranty.pdf --source handbook',
      'knowledge ignore kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --undo',
    ],
    async run(session, { source, undo = false }, ...names) {
      const { out, project } = session;
      // If a document does not exist, nothing changes.
      const ids = await Promise.all(names.map((name) => documentOf(session, name, source)));
      let needsIndex = false;
      for (const id of new Set(ids)) {
        const document = await project.knowledge.documents.update(id, { ignored: !undo });
        needsIndex ||= document.status !== 'failed';
        if (out.json) await out.jsonLine(document);
        else await out.text(lineOf(document));
      }
      if (needsIndex)
        out.note(
          undo
            ? 'The next re-index includes them again: platform reindex --wait'
            : 'Searches find them until the next re-index: platform reindex --wait',
        );
    },
  });
}

const lineOf = ({ id, title, ignored }: KnowledgeDocument): string =>
  `${id}  ${safeLine(title)}  ${ignored ? 'ignored' : 'no longer ignored'}`;

async function documentOf(session: Session, name: string, source: string | undefined): Promise<string> {
  if (source === undefined) return idOf(session, 'document', name);
  const [document] = (await session.project.knowledge.documents.list({ source, externalId: name })).items;
  if (document) return document.id;
  throw new CliError(
    'notFound',
    `The source ${source} has no document with this externalId: ${JSON.stringify(name)}`,
    'To list them: platform documents list --source NAME',
  );
}
