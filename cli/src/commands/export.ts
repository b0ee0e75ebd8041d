/** The command `conversations export`. */

import type { Command } from 'commander';
import { type Define, wholeNumber } from '../command.ts';
import { Interrupted, usageError } from '../errors.ts';
import { discard, exportTo } from '../export/export.ts';
import { formatNamed } from '../export/format.ts';
import { checkSame, newProgress, type Progress, readProgress } from '../export/progress-file.ts';
import { checkTarget, lock } from '../export/target-file.ts';
import { count, type ExportSettings, transcripts } from '../export/transcripts.ts';
import type { Output } from '../output/output.ts';
import { progressBar } from '../output/progress.ts';
import { counted } from '../output/text.ts';
import { periodFrom, periodHelp, periodOptions } from '../period.ts';
import type { Session } from '../session.ts';
import { filterOptions, filtersFrom, type SelectOptions } from './conversations.ts';

type ExportOptions = SelectOptions & {
  format?: 'jsonl' | 'csv';
  output?: string;
  restart?: boolean;
  escapeFormulas: boolean;
  concurrency: number;
};

export function addExport(parent: Command, define: Define): void {
  define<ExportOptions>(parent, {
    name: 'export',
    summary: 'Writes conversations with their messages into a file',
    details:
      'jsonl: a line for each conversation, with its messages. csv: a row for each message.\n\nIf a run is ' +
      'interrupted or killed, run the same command again. It continues, and the file then has each line once. Until ' +
      'the file is complete, the data is in FILE.partial. A complete FILE is replaced at once.\n\n' +
      periodHelp,
    project: true,
    options: [
      ...periodOptions,
      ['-o, --output <file>', 'the file (default: stdout, which cannot be continued)'],
      [
        '--format <format>',
        'jsonl or csv (default: csv if FILE ends in .csv)',
        { choices: ['jsonl', 'csv'] },
      ],
      ...filterOptions,
      ['--restart', 'discards an interrupted run'],
      [
        '--concurrency <n>',
        'transcripts at the same time',
        { default: 8, parse: wholeNumber('--concurrency', 1, 32) },
      ],
      ['--no-escape-formulas', "csv: leaves out the ' in front of cells that begin with = + - @"],
    ],
    examples: [
      'conversations export --from yesterday -o yesterday.jsonl',
      'conversations export --from 2026-03-01 --to 2026-04-01 --time-zone Europe/Berlin --format csv -o march.csv',
      'conversations export --from 7d --tag refund | jq .messages[].text',
    ],
    run,
  });
}

async function run(session: Session, options: ExportOptions): Promise<void> {
  const { output, restart, escapeFormulas: escapesFormulas, concurrency } = options;
  const format = options.format ?? (/\.csv$/i.test(output ?? '') ? 'csv' : 'jsonl');
  const { shell, out, project, projectId, signal, credentials } = session;
  const nowMs = shell.nowMs();
  const { startedFrom, startedBefore } = periodFrom(options, nowMs);
  const filters = filtersFrom(options);
  const bar = progressBar(shell, 'Exporting', out.json);
  const settings: ExportSettings = {
    project,
    format: formatNamed(format, escapesFormulas),
    filters,
    startedFrom,
    concurrency,
    signal,
    onProgress: ({ conversations, messages }, total) =>
      bar.update(conversations, total, counted(messages, 'message')),
  };
  const { baseUrl } = credentials;
  const request = {
    baseUrl,
    projectId,
    format,
    escapesFormulas,
    filters,
    from: startedFrom,
    to: startedBefore,
  };
  // Without --to, the period ends when the first run starts. Conversations that start later are for the next export.
  const initial = newProgress(request, startedBefore ?? new Date(nowMs).toISOString());
  if (output === undefined || output === '-') {
    if (restart) throw usageError('--restart is for a file: -o FILE.');
    const progress = await streamTo(out, initial, settings).finally(bar.stop);
    return printCounts(session, progress, undefined);
  }

  await checkTarget(output);
  const release = await lock(output);
  try {
    if (restart) await discard(output);
    const previous = await readProgress(output);
    if (previous) checkSame(output, previous, request);
    if (previous) out.note(`Continuing after ${counted(previous.conversations, 'conversation')}.`);
    const progress = await exportTo(output, previous ?? initial, settings).catch((error) => {
      bar.stop();
      if (error instanceof Interrupted) out.note('Run the same command again to continue.');
      throw error;
    });
    bar.stop();
    await printCounts(session, progress, output);
  } finally {
    bar.stop();
    await release();
  }
}

/** Prints the counts: on stderr if stdout has the data. */
async function printCounts({ out }: Session, progress: Progress, file: string | undefined): Promise<void> {
  const { conversations, messages, erased, active, request, startedBefore } = progress;
  if (out.json && file !== undefined)
    return out.jsonLine({
      file,
      conversations,
      messages,
      erased,
      active,
      startedFrom: request.from ?? null,
      startedBefore,
    });
  const counts = `${counted(conversations, 'conversation')} with ${counted(messages, 'message')}`;
  out.note(file === undefined ? counts : `${counts} in ${file}`);
  out.note(`Started ${request.from === undefined ? '' : `from ${request.from} `}before ${startedBefore}.`);
  if (active > 0)
    out.note(`${counted(active, 'of them is', 'of them are')} still active, and may get further messages.`);
  if (erased > 0) out.note(`${counted(erased, 'was', 'were')} erased during the export.`);
}

/** Exports conversations to stdout. @returns the counts */
async function streamTo(out: Output, progress: Progress, settings: ExportSettings): Promise<Progress> {
  const { format } = settings;
  await out.data(format.head);
  for await (const transcript of transcripts(progress, settings)) {
    if (transcript.messages) await out.data(format.record({ ...transcript, messages: transcript.messages }));
    count(progress, transcript);
  }
  return progress;
}
