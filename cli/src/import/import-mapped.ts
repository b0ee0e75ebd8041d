/** Imports an export of another platform: converts it with a map, imports the conversations, and sends their scores. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileSource } from '../../../clients/typescript/src/node.ts';
import { CliError, usageError } from '../errors.ts';
import { megabytes, progressBar } from '../output/progress.ts';
import { counted, safeLine } from '../output/text.ts';
import type { Session } from '../session.ts';
import { type ConvertedExport, convertExport, scoresFile } from './convert-export.ts';
import { importFile } from './import-job.ts';
import { readMap } from './maps.ts';
import { sizeOf } from './open-export.ts';
import { ensureEvaluator, existingOutputs, scoresOf } from './score-options.ts';
import { sendScores } from './send-scores.ts';

export type MappedOptions = {
  map: string;
  avatar?: string;
  score?: string[];
  shorten?: boolean;
  dryRun?: boolean;
};

type LineError = { line: number; message: string; code?: string };

/** How many errors of the API are shown, as without a map. */
const maxErrors = 10;

export async function importMapped(session: Session, source: string, options: MappedOptions): Promise<void> {
  const scores = scoresOf(options.score);
  const program = await readMap(options.map);
  const outputs = await existingOutputs(session, Object.keys(scores));
  const folder = options.dryRun ? undefined : await mkdtemp(join(tmpdir(), 'platform-import-'));
  try {
    const { shell, out } = session;
    const bar = progressBar(shell, 'Converting', out.json, megabytes);
    const total = await sizeOf(source);
    const converted = await convertExport(session, source, {
      program,
      scores,
      outputs,
      shorten: options.shorten ?? false,
      hasAvatar: options.avatar !== undefined,
      avatar: options.avatar,
      folder,
      onRead: (bytes) => bar.update(bytes, total),
    }).finally(bar.stop);
    for (const [name, values] of Object.entries(converted.scores)) values.outputOf(name, outputs[name]);
    if (folder === undefined) await showFirst(session, converted);
    else await send(session, folder, converted);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** What `--json` has of the conversion. */
const summaryOf = ({ records, conversations, skipped, misfits, shortened }: ConvertedExport) => ({
  records,
  conversations,
  skipped,
  misfits,
  shortened,
});

async function showFirst({ out }: Session, converted: ConvertedExport): Promise<void> {
  const { first, misfits, firstMisfits } = converted;
  if (out.json) await out.jsonLine({ ...summaryOf(converted), first: first ?? null, errors: firstMisfits });
  else {
    if (first) await out.jsonText(first.conversation, 2);
    if (first && Object.keys(first.scores).length > 0) await out.jsonText({ scores: first.scores }, 2);
    noteConversion(out, converted);
    out.note('Nothing was sent.');
  }
  if (misfits > 0) throw incomplete(misfits, 0);
}

function noteConversion(
  out: Session['out'],
  { records, conversations, skipped, misfits, firstMisfits, shortened }: ConvertedExport,
): void {
  out.note(
    `${counted(records, 'record')}: ${counted(conversations, 'conversation')}, ${skipped} skipped, ` +
      `${misfits} ${misfits === 1 ? 'does' : 'do'} not fit`,
  );
  for (const { line, message } of firstMisfits) out.note(safeLine(`line ${line}: ${message}`));
  const fields = Object.entries(shortened).map(([field, count]) => `${field} (${count})`);
  if (fields.length > 0) out.note(`Shortened: ${fields.join(', ')}`);
}

async function send(session: Session, folder: string, converted: ConvertedExport): Promise<void> {
  const { shell, out, project, signal } = session;
  const { parts, misfits, firstMisfits } = converted;
  if (!out.json) noteConversion(out, converted);
  if (converted.conversations === 0 && misfits > 0) {
    if (out.json) await out.jsonLine({ ...summaryOf(converted), errors: firstMisfits });
    throw usageError(
      'No record fits. Nothing was sent.',
      'Correct the map. --dry-run shows its first result.',
    );
  }
  for (const [name, values] of Object.entries(converted.scores)) await ensureEvaluator(session, name, values);
  const jobs: string[] = [];
  const totals = { created: 0, unchanged: 0, failed: 0 };
  const errors: LineError[] = [];
  for (const { path, sources } of parts) {
    const job = await importFile(session, (onRead) => fileSource(path, onRead));
    jobs.push(job.id);
    totals.created += job.result.created;
    totals.unchanged += job.result.unchanged;
    totals.failed += job.result.failed;
    for (const { line, code, message } of job.result.errors)
      if (errors.length < maxErrors) errors.push({ line: sources[line - 1] ?? 0, code, message });
  }
  const bar = progressBar(shell, 'Scoring', out.json);
  let done = 0;
  const scores =
    converted.scored === 0
      ? { stored: 0, missing: 0 }
      : await sendScores(project, scoresFile(folder), signal, () => {
          done += 1;
          bar.update(done, converted.scored);
        }).finally(bar.stop);
  const { created, unchanged, failed } = totals;
  if (out.json)
    await out.jsonLine({
      jobs,
      ...summaryOf(converted),
      ...totals,
      scores: scores.stored,
      errors: [...firstMisfits, ...errors],
    });
  else {
    out.note(`${counted(created, 'conversation')} created, ${unchanged} unchanged, ${failed} failed`);
    for (const { line, message, code } of errors) out.note(safeLine(`line ${line}: ${message} (${code})`));
    if (converted.scored > 0) out.note(`${counted(scores.stored, 'score')} stored`);
  }
  if (misfits + failed > 0) throw incomplete(misfits, failed);
}

const incomplete = (misfits: number, failed: number): CliError =>
  new CliError(
    'incomplete',
    [
      misfits > 0 && `${counted(misfits, 'result does', 'results do')} not fit.`,
      failed > 0 && `${counted(failed, 'conversation was', 'conversations were')} not imported.`,
    ]
      .filter(Boolean)
      .join(' '),
    'Correct the map or the export, and run the command again: what is stored is not stored twice.',
  );
