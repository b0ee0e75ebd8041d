/** The commands `knowledge sources refresh` and `delete`. The other commands of sources follow from the API. */

import type { Command } from 'commander';
import { checkId, type Define } from '../command.ts';
import { confirm } from '../input.ts';
import { refreshNote, waitForRefresh } from '../knowledge/refresh.ts';
import { waitForJob } from './jobs.ts';

const noWait = ['--no-wait', 'does not wait for the job'] as const;

export function addSources(knowledge: Command, define: Define): void {
  const parent = knowledge
    .command('sources')
    .summary('Websites whose pages are documents')
    .description(
      'Websites whose pages are documents. `platform knowledge add URL` creates a source, and refreshes it.',
    );

  define<{ confirm?: boolean; reread?: boolean; wait: boolean }>(parent, {
    name: 'refresh <id>',
    summary: 'Requests the pages of a source, and stores what has changed',
    details:
      'If a refresh runs already, the command waits for that refresh. Pages that cannot be read keep their documents. If more than half of ' +
      'the documents would be removed, they stay, unless you give --confirm.',
    project: true,
    creates: true,
    options: [
      ['--confirm', 'allows the removal of more than half of the documents'],
      ['--reread', 'reads pages again that have not changed, after an upgrade of the service'],
      noWait,
    ],
    examples: [
      'knowledge sources refresh src_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
      'knowledge sources refresh https://docs.acme.example/ --confirm',
    ],
    async run(session, { confirm: isConfirmed, reread, wait, idempotencyKey }, id) {
      const { sources } = session.project.knowledge;
      const source = await sources.get(checkId(id));
      const body = { ...(isConfirmed && { confirm: true }), ...(reread && { reread }) };
      const job = await sources.refresh(source.id, body, { idempotencyKey });
      if (wait) return waitForRefresh(session, source, job.id);
      await session.out.item(job);
      session.out.note(refreshNote(job.id));
    },
  });

  define<{ keepDocuments?: boolean; yes?: boolean; wait: boolean }>(parent, {
    name: 'delete <id>',
    summary: 'Deletes a source with its documents',
    project: true,
    options: [
      ['--keep-documents', 'its documents stay, and you can change them'],
      ['--yes', 'without a question'],
      noWait,
    ],
    examples: [
      'knowledge sources delete src_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --yes',
      'knowledge sources delete https://docs.acme.example/ --keep-documents',
    ],
    async run(session, { keepDocuments = false, yes, wait }, id) {
      const { out, project, shell } = session;
      const what = keepDocuments ? 'Its documents stay.' : 'This also deletes its documents.';
      await confirm(shell, `Delete the source ${checkId(id)}? ${what}`, yes);
      const job = await project.knowledge.sources.delete(id, keepDocuments ? { keepDocuments } : {});
      if (wait) return waitForJob(session, job);
      await out.item(job);
      out.note(`The job runs. To wait for it: platform jobs wait ${job.id}`);
    },
  });
}
