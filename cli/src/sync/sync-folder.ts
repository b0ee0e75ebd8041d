/** Synchronises a folder once. */

import {
  DocumentFileError,
  noteText,
  type SyncDocument,
  type SyncEvent,
  type SyncField,
  type SyncOutcome,
  type SyncResult,
} from '../../../clients/typescript/src/index.ts';
import { CliError, describe } from '../errors.ts';
import { confirm } from '../input.ts';
import { progressBar } from '../output/progress.ts';
import { counted, safeLine } from '../output/text.ts';
import type { Session } from '../session.ts';
import { type FolderContent, findFiles, type LeftOut, readDocument } from './folder.ts';

export type SyncSettings = {
  folder: string;
  source: string;
  /** If they are undefined, the tags of the documents stay as they are. */
  tags: string[] | undefined;
  extensions: readonly string[];
  excluded: readonly string[];
  prune: boolean;
  /** Sends files again that earlier readers of the service have read. */
  reread: boolean;
  dryRun: boolean;
  yes: boolean;
  concurrency: number;
};

export type SyncReport = {
  source: string;
  dryRun: boolean;
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  /** The documents that are not sent or have no text, with the reason. Only a file without a text has a code. */
  failed: { externalId: string; reason: string; code: string | null }[];
  /** What the service has left out or changed when it read the documents. */
  notes: SyncResult['notes'];
  /** The documents that were changed, or would be changed. */
  changes: { externalId: string; outcome: SyncOutcome; fields: readonly SyncField[] }[];
};

/**
 * The documents that `prune` would delete are looked up first: if a file cannot be read, nothing is deleted, and if they are more
 * than half of the source, the user has to agree.
 */
export async function syncFolder(session: Session, settings: SyncSettings): Promise<SyncReport> {
  const { folder, extensions, excluded, prune, dryRun, source } = settings;
  const content = await findFiles(folder, { extensions, excluded });
  for (const { name, reason, isFailure } of content.leftOut)
    if (!isFailure) session.out.warn(`${name} ${reason}.`);
  if (content.files.length === 0)
    throw new CliError(
      'usage',
      `There are no documents in ${folder} (${extensions.join(', ')}). Nothing was changed.`,
      'Check the folder. --ext chooses other files.',
    );
  if (!prune) return (await pass(session, settings, content, { prune: false, dryRun })).report;
  const { report: plan, unread } = await pass(session, settings, content, { prune: true, dryRun: true });
  if (dryRun) return plan;
  // The documents of unread files would be deleted. A file without a text keeps its document.
  if (unread > 0) {
    session.out.warn('Nothing is deleted, because some files could not be read.');
    return (await pass(session, settings, content, { prune: false, dryRun })).report;
  }
  const stored = plan.unchanged + plan.updated + plan.deleted;
  if (plan.deleted * 2 > stored)
    await confirm(
      session.shell,
      `This deletes ${plan.deleted} of ${counted(stored, 'document')} of the source ${source}. Is ${folder} the right folder?`,
      settings.yes,
    );
  return (await pass(session, settings, content, { prune: true, dryRun })).report;
}

/** @returns what was done, and how many files could not be read here */
async function pass(
  session: Session,
  { source, tags, reread, concurrency }: SyncSettings,
  { files, leftOut }: FolderContent,
  { prune, dryRun }: { prune: boolean; dryRun: boolean },
): Promise<{ report: SyncReport; unread: number }> {
  const unreadFiles: LeftOut[] = leftOut.filter(({ isFailure }) => isFailure);
  const changes: SyncReport['changes'] = [];
  const bar = progressBar(session.shell, dryRun ? 'Comparing' : 'Synchronising', session.out.json);

  async function* documents(): AsyncGenerator<SyncDocument> {
    for (const file of files) {
      const result = await readDocument(file);
      if ('problem' in result) unreadFiles.push({ name: file.name, reason: result.problem, isFailure: true });
      else yield { ...result.document, tags };
    }
  }
  const onProgress = ({ externalId, outcome, fields, done, total }: SyncEvent) => {
    if (outcome !== 'unchanged' && outcome !== 'failed') changes.push({ externalId, outcome, fields });
    bar.update(done, Math.max(total ?? files.length, done), externalId);
  };
  try {
    const { signal } = session;
    const work = { source, documents: documents(), prune, reread, dryRun };
    const result = await session.project.knowledge.sync({ ...work, concurrency, signal, onProgress });
    const failures = result.failed.map(({ externalId, error }) => ({
      externalId,
      reason: describe(error).message,
      code: error instanceof DocumentFileError ? error.code : null,
    }));
    const unread = unreadFiles.map(({ name, reason }) => ({ externalId: name, reason, code: null }));
    const report = { source, dryRun, ...result, failed: [...unread, ...failures], changes };
    return { report, unread: unread.length };
  } finally {
    bar.stop();
  }
}

/** The codes of failures after which no document has the file. */
const codesWithoutDocument: ReadonlySet<string> = new Set(['file_too_large', 'not_extracted']);

/** How many documents with notes are printed. The list of documents has all. */
const maxNoted = 20;

const signs: Readonly<Record<string, string>> = { created: '+', updated: '~', deleted: '-' };

/** @throws CliError if a document has failed, or with --exit-code if nothing has changed */
export async function printReport({ out }: Session, report: SyncReport, hasExitCode: boolean): Promise<void> {
  const { source, dryRun, created, updated, unchanged, deleted, failed, notes, changes } = report;
  if (out.json) await out.jsonLine(report);
  else {
    const sorted = [...changes].sort((a, b) => (a.externalId < b.externalId ? -1 : 1));
    for (const { externalId, outcome, fields } of sorted) {
      const details = fields.length > 0 ? ` (${fields.join(', ')})` : '';
      await out.text(`${signs[outcome] ?? ' '} ${safeLine(externalId)}${details}`);
    }
    for (const { externalId, title, notes: all } of notes.slice(0, maxNoted))
      out.warn(`${externalId} (${title}): ${all.map(noteText).join(', ')}.`);
    if (notes.length > maxNoted)
      out.note(
        `${notes.length - maxNoted} more were read in part: platform documents list --source ${source} --json`,
      );
    for (const { externalId, reason } of failed) out.warn(`${externalId} ${reason}`);
    const counts = { created, updated, unchanged, deleted, failed: failed.length };
    const text = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    await out.text(`${dryRun ? 'Would be: ' : ''}${text.join(', ')}`);
  }
  if (failed.length > 0)
    throw new CliError(
      'incomplete',
      dryRun
        ? `${counted(failed.length, 'document')} cannot be sent.`
        : `${counted(failed.length, 'document has', 'documents have')} failed. The other documents are stored.`,
      failed.some(({ code }) => code !== null && !codesWithoutDocument.has(code))
        ? `Replace the file. Or keep it, and ignore its document: platform knowledge ignore PATH --source ${source}`
        : undefined,
    );
  if (hasExitCode && changes.length === 0) throw new CliError('unchanged', 'There was nothing to change.');
}
