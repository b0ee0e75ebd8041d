/** The command `conversations import`. */

import type { Command } from 'commander';
import { JobFailedError, type SucceededJob } from '../../../clients/typescript/src/index.ts';
import type { Define } from '../command.ts';
import { CliError, Interrupted } from '../errors.ts';
import { openUpload } from '../import/upload-file.ts';
import { megabytes, progressBar } from '../output/progress.ts';
import { counted, safeLine } from '../output/text.ts';
import type { Session } from '../session.ts';

type ImportJob = Extract<SucceededJob, { type: 'conversations.import' }>;

/** How many errors are printed. `platform jobs get JOB` lists more. */
const maxErrors = 10;

export function addImport(parent: Command, define: Define): void {
  define(parent, {
    name: 'import <file>',
    summary: 'Imports conversations with their messages from a file',
    details:
      'The file has JSON lines, plain or compressed with gzip; - is standard input. A line is a conversation, as in ' +
      'the API or in an export. Each conversation is stored once, so you can run the command again. A line that ' +
      'cannot be imported does not stop the other lines. The exit code is then 8.',
    project: true,
    examples: ['conversations import history.jsonl', 'conversations import - --json < history.jsonl.gz'],
    run: (session, _options, file) => run(session, file),
  });
}

async function run(session: Session, file: string): Promise<void> {
  const { shell, out, project, signal } = session;
  let bar = progressBar(shell, 'Uploading', out.json, megabytes);
  let jobId: string | undefined;
  try {
    let total: number | undefined;
    const source = await openUpload(shell, file, { signal, onRead: (bytes) => bar.update(bytes, total) });
    total = source.size;
    const job = await project.conversations.importLines(source, { signal }).finally(() => source.remove());
    jobId = job.id;
    bar.stop();
    bar = progressBar(shell, 'Importing', out.json);
    const endedJob = await project.jobs.wait(job, {
      signal,
      onProgress: ({ progress, status }) => bar.update(progress.done, progress.total || undefined, status),
    });
    bar.stop();
    if (endedJob.status !== 'succeeded') throw new JobFailedError(endedJob);
    if (endedJob.type === 'conversations.import') await report(session, endedJob);
  } catch (error) {
    bar.stop();
    if (error instanceof Interrupted && jobId !== undefined)
      out.note(`The import goes on. To wait for it: platform jobs wait ${jobId}`);
    throw error;
  } finally {
    bar.stop();
  }
}

/** @throws CliError if a line failed */
async function report({ out }: Session, { id, result }: ImportJob): Promise<void> {
  const { created, unchanged, failed, errors } = result;
  if (out.json) await out.jsonLine({ job: id, ...result });
  else out.note(`${counted(created, 'conversation')} created, ${unchanged} unchanged, ${failed} failed`);
  if (failed === 0) return;
  if (!out.json)
    for (const { line, code, message } of errors.slice(0, maxErrors))
      out.note(safeLine(`line ${line}: ${message} (${code})`));
  throw new CliError(
    'incomplete',
    `${counted(failed, 'line was', 'lines were')} not imported.`,
    `Correct them, and import the file again. All errors: platform jobs get ${id}`,
  );
}
