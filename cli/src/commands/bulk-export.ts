/** The command `export`: a job of the API exports conversations, documents or audit events of a project. */

import type { Command } from 'commander';
import type { ExportContent, ExportRequest } from '../../../clients/typescript/src/index.ts';
import { checkId, type Define, type PostFlags } from '../command.ts';
import { CliError, Interrupted, usageError } from '../errors.ts';
import { scoreNames, scoresCsv } from '../export/csv.ts';
import { fileSink, stdoutSink, type Written, writeFiles } from '../export/files.ts';
import { checkTarget, writeWhole } from '../export/target-file.ts';
import { megabytes, progressBar } from '../output/progress.ts';
import { counted } from '../output/text.ts';
import { type PeriodOptions, periodFrom, periodHelp, periodOptions, timeFrom } from '../period.ts';
import type { Session } from '../session.ts';
import {
  type FilterOptions as AuditFilterOptions,
  filterOptions as auditFilterOptions,
  queryFrom as auditQueryFrom,
} from './audit.ts';
import { type FilterOptions, filterOptions, jobFiltersFrom } from './conversations.ts';

type TargetOptions = { output?: string; gzip?: boolean };
/** Only conversations have a choice of formats. */
type FormatOptions = TargetOptions & { format?: 'jsonl' | 'csv'; escapeFormulas?: boolean };

const targetOptions = [
  ['-o, --output <file>', 'the file (default: stdout)'],
  ['--gzip', 'compressed, as it is downloaded'],
] as const;

const formatOptions = [
  ['--format <format>', 'jsonl or csv (default: csv if FILE ends in .csv)', { choices: ['jsonl', 'csv'] }],
  ['--no-escape-formulas', "csv: leaves out the ' in front of cells that begin with = + - @"],
] as const;

const csvHelp =
  'csv is only for conversations: it has a row for each conversation, without its messages, and a column for each score, such as ' +
  'score.csat. Scores that are texts or objects are left out.';

const help =
  'A job of the API writes the data, however much there is. Then the command downloads it. Until the file is complete, its data ' +
  'is in FILE.partial. After Ctrl+C, the job goes on: `platform export download JOB` continues.';

const recordNames = { conversations: 'conversation', documents: 'document', audit: 'event' } as const;

export function addBulkExport(program: Command, define: Define): void {
  const parent = program
    .command('export')
    .summary('Writes all data of a project into a file')
    .description(
      'Exports conversations, documents or audit events, as JSON lines; conversations also as CSV.',
    );

  define<FilterOptions & PeriodOptions & FormatOptions>(parent, {
    name: 'conversations',
    summary: 'Exports conversations with their messages, oldest first',
    details:
      'jsonl: a line is a conversation with its scores and its first 200 messages. Its other messages are in further lines, ' +
      `which have only its id. ${csvHelp} ${help}\n\n${periodHelp}`,
    project: true,
    creates: true,
    options: [...targetOptions, ...formatOptions, ...filterOptions, ...periodOptions],
    examples: [
      'export conversations -o conversations.jsonl',
      'export conversations --from 7d --score csat:lt:3 -o unhappy.csv',
      'export conversations --from 2026-03-01 --to 2026-04-01 --gzip -o march.jsonl.gz',
    ],
    run(session, options) {
      const filters = { ...jobFiltersFrom(options), ...periodFrom(options, session.shell.nowMs()) };
      return start(session, { what: 'conversations', filters }, options);
    },
  });

  define<DocumentFilters & TargetOptions>(parent, {
    name: 'documents',
    summary: 'Exports documents with their contents, newest first',
    details: help,
    project: true,
    creates: true,
    options: [
      ...targetOptions,
      ['--status <status>', 'only documents with this status', { choices: ['pending', 'indexed', 'failed'] }],
      ['--source <name>', 'only those of this source'],
      ['--tag <tag>', 'only those with this tag'],
      ['--updated-from <time>', 'changed then or later: today, 7d, 2026-03-01 or 2026-03-01T10:00:00Z'],
      periodOptions[2],
    ],
    examples: ['export documents -o documents.jsonl', 'export documents --source handbook | jq .title'],
    run(session, { status, source, tag, updatedFrom: from, timeZone, ...options }) {
      const updatedFrom = from && timeFrom('--updated-from', from, timeZone, session.shell.nowMs());
      return start(session, { what: 'documents', filters: { status, source, tag, updatedFrom } }, options);
    },
  });

  define<AuditFilterOptions & PeriodOptions & TargetOptions>(parent, {
    name: 'audit',
    summary: 'Exports audit events of the project, newest first',
    details: `\`platform audit export\` writes the audit events of all projects. ${help}\n\n${periodHelp}`,
    project: true,
    creates: true,
    options: [...targetOptions, ...auditFilterOptions.slice(0, 3), ...periodOptions],
    examples: ['export audit --from yesterday -o yesterday.jsonl'],
    run(session, options) {
      const { projectId: _, ...filters } = auditQueryFrom(session, options);
      return start(session, { what: 'audit', filters }, options);
    },
  });

  define<FormatOptions>(parent, {
    name: 'download <job>',
    summary: 'Downloads an export that was started before',
    details: `The command waits for the job first. The files are kept for a day. ${csvHelp}`,
    project: true,
    options: [...targetOptions, ...formatOptions],
    examples: ['export download job_01JZ4Y7Q8R5T2V9W3X6B0C1D4E -o conversations.jsonl'],
    async run(session, options, id) {
      const { what } = await session.project.exports.get(checkId(id), { signal: session.signal });
      if (what !== 'conversations' && options.format === 'csv')
        throw usageError('--format csv is for conversations.');
      await checkOutput(session, options, what);
      await download(session, { id, what }, options);
    },
  });
}

type DocumentFilters = {
  status?: 'pending' | 'indexed' | 'failed';
  source?: string;
  tag?: string;
  updatedFrom?: string;
  timeZone?: string;
};

async function start(
  session: Session,
  request: ExportRequest,
  { idempotencyKey, ...options }: FormatOptions & PostFlags,
): Promise<void> {
  await checkOutput(session, options, request.what);
  const { project, signal } = session;
  const { id } = await project.exports.create(request, { idempotencyKey, signal });
  await download(session, { id, what: request.what }, options);
}

const fileFrom = ({ output }: TargetOptions) => (output === '-' ? undefined : output);

const isCsv = ({ format, output = '' }: FormatOptions, what: ExportContent): boolean =>
  what === 'conversations' && (format ?? (/\.csv$/i.test(output) ? 'csv' : 'jsonl')) === 'csv';

/** Checks the options before a job is started. */
async function checkOutput(
  { shell: { stdout } }: Session,
  options: FormatOptions,
  what: ExportContent,
): Promise<void> {
  if (options.gzip && isCsv(options, what)) throw usageError('--gzip is for JSON lines, not for csv.');
  const file = fileFrom(options);
  if (file !== undefined) return checkTarget(file);
  if (options.gzip && stdout.isTTY)
    throw usageError('--gzip is not for a terminal.', 'Add -o FILE, or pipe it.');
}

async function download(
  session: Session,
  { id, what }: { id: string; what: ExportContent },
  options: FormatOptions,
): Promise<void> {
  const { out, project, shell, signal } = session;
  const file = fileFrom(options);
  let bar = progressBar(shell, 'Exporting', out.json);
  let total: number | undefined;
  const files = project.exports.files(id, {
    signal,
    onProgress({ progress, status, result }) {
      bar.update(progress.done, progress.total || undefined, status);
      if (!result || !('bytes' in result)) return;
      bar.stop();
      total = result.bytes;
      bar = progressBar(shell, 'Downloading', out.json, megabytes);
    },
  });
  const settings = {
    isCompressed: options.gzip === true,
    onProgress: (bytes: number) => bar.update(bytes, total),
    openRows: isCsv(options, what)
      ? async () => scoresCsv(await scoreNames(project, signal), options.escapeFormulas ?? true)
      : undefined,
  };
  try {
    const result =
      file === undefined
        ? await writeFiles(files, stdoutSink(out), settings)
        : await writeWhole(file, (partial) => writeFiles(files, fileSink(partial), settings));
    bar.stop();
    await report(session, { id, what, file, ...result });
  } catch (error) {
    bar.stop();
    const flags = [file !== undefined && ` -o ${file}`, options.format && ` --format ${options.format}`]
      .filter(Boolean)
      .join('');
    if (error instanceof Interrupted)
      out.note(`The export goes on. To download it: platform export download ${id}${flags}`);
    throw error;
  } finally {
    bar.stop();
  }
}

/**
 * Prints the counts: on stderr if stdout has the data.
 * @throws CliError if a part is gone
 */
async function report(
  { out }: Session,
  {
    id,
    what,
    file,
    records,
    missing,
  }: Written & { id: string; what: ExportContent; file: string | undefined },
): Promise<void> {
  if (out.json && file !== undefined)
    await out.jsonLine({ file, job: id, [what]: records, missingParts: missing.length });
  else out.note(`${counted(records, recordNames[what])}${file === undefined ? '' : ` in ${file}`}`);
  if (missing.length === 0) return;
  const reasons = [...new Set(missing.map(({ removedBecause, status }) => removedBecause ?? status))];
  throw new CliError(
    'incomplete',
    `${counted(missing.length, 'part is', 'parts are')} gone: ${reasons.join(', ')}.`,
    'Export again to get the remaining data.',
  );
}
