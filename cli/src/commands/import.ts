/** The command `conversations import`. */

import type { Command } from 'commander';
import type { Define } from '../command.ts';
import { CliError, usageError } from '../errors.ts';
import { type ImportJob, importFile } from '../import/import-job.ts';
import { importMapped, type MappedOptions } from '../import/import-mapped.ts';
import { openUpload, type UploadFile } from '../import/upload-file.ts';
import { counted, safeLine } from '../output/text.ts';
import type { Session } from '../session.ts';

/** How many errors are printed. `platform jobs get JOB` lists more. */
const maxErrors = 10;

export function addImport(parent: Command, define: Define): void {
  define<Partial<MappedOptions>>(parent, {
    name: 'import <file>',
    summary: 'Imports conversations with their messages from a file',
    details:
      'The file has JSON lines, plain or compressed with gzip; - is standard input. A line is a conversation, as in ' +
      'the API or in an export. Each conversation is stored once, so you can run the command again. A line that ' +
      'cannot be imported does not stop the other lines. The exit code is then 8.\n\nWith --map, the file is an export of ' +
      'another platform: JSON lines, a JSON array, or JSON values. The map is a jq program, which turns each record into ' +
      'conversations. docs/moving-in.md describes the maps that come with this command.',
    project: true,
    options: [
      ['--map <map>', 'converts each record: a jq program in a file, or elevenlabs, retell or vapi'],
      ['--avatar <id>', 'with --map, the avatar of all conversations (default: the one that the map names)'],
      [
        '--score <name=path>',
        'with --map, a score of an external evaluator: a jq path in the record; several times',
        { repeat: true },
      ],
      ['--shorten', 'with --map, shortens what is too long, and counts it (default: it does not fit)'],
      ['--dry-run', 'with --map, shows the first conversation, counts, and sends nothing'],
    ],
    examples: [
      'conversations import history.jsonl',
      'conversations import - --json < history.jsonl.gz',
      'conversations import calls.json --map vapi --dry-run',
      "conversations import calls.json --map retell --avatar Clara --score 'solved=.call_analysis.call_successful'",
    ],
    run: async (session, options, file = '') => {
      const { map, ...others } = options;
      if (map !== undefined) return importMapped(session, file, { map, ...others });
      if (options.avatar ?? options.score ?? options.shorten ?? options.dryRun)
        throw usageError('--avatar, --score, --shorten and --dry-run are only for an import with --map.');
      await run(session, file);
    },
  });
}

async function run(session: Session, file: string): Promise<void> {
  const { shell, signal } = session;
  let upload: UploadFile | undefined;
  const job = await importFile(session, async (onRead) => {
    upload = await openUpload(shell, file, { signal, onRead });
    return upload;
  }).finally(() => upload?.remove());
  await report(session, job);
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
