/** The commands of the audit log: list, get, tail, export. */

import type { Command } from 'commander';
import type { AuditEvent, AuditEventsListQuery } from '../../../clients/typescript/src/index.ts';
import type { Define } from '../command.ts';
import { writeWhole } from '../export/target-file.ts';
import { counted, safeJson } from '../output/text.ts';
import { type PeriodOptions, periodHelp, periodOptions } from '../period.ts';
import type { Session } from '../session.ts';
import { addLog, periodOf } from './log.ts';

type Filters = Pick<AuditEventsListQuery, 'actor' | 'action' | 'resourceId' | 'projectId'>;
export type FilterOptions = { actor?: string; action?: string; resource?: string; project?: string };

export const filterOptions = [
  ['--actor <id>', 'only events of this key, workload identity, subject (sub:…) or worker (worker:…)'],
  ['--action <name>', 'only this action, such as projects.update'],
  ['--resource <id>', 'only events of this resource'],
  ['--project <id>', 'only events of this project'],
] as const;

const filtersFrom = ({ actor, action, resource, project }: FilterOptions): Filters => ({
  actor,
  action,
  resourceId: resource,
  projectId: project,
});

export function addAudit(program: Command, define: Define): void {
  const parent = program
    .command('audit')
    .summary('Who has changed what')
    .description('The audit log: changes and their authors, and refused requests.');

  addLog(parent, define, {
    filterOptions,
    filtersFrom,
    entries: ({ platform }) => platform.auditEvents,
    timeOf: ({ at }: AuditEvent) => at,
    columns: {
      at: ({ at }) => at,
      actor: ({ actor }) => actorText(actor, ({ name, id }) => name ?? id),
      action: ({ action }) => action,
      resource: ({ resource }) => resource.id,
      changed: ({ changes, reason }) => reason ?? changes?.fields ?? [],
      from: ({ origin }) => [origin?.address ?? '', ...(origin?.via ? [`via ${origin.via}`] : [])].join(' '),
    },
    lineOf,
    examples: {
      list: [
        'audit list --from today --action api-keys.create',
        'audit list --resource key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --json',
      ],
      get: ['audit get aud_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
      tail: ['audit tail', 'audit tail --actor key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --json'],
    },
  });

  define<FilterOptions & PeriodOptions & { output?: string }>(parent, {
    name: 'export',
    summary: 'Writes events into a file, as JSON lines',
    details:
      'The newest event comes first. Until the file is complete, its data is in FILE.partial. A complete FILE is replaced at ' +
      `once. Wait a few minutes after the end of a period, because events may appear late.\n\n${periodHelp}`,
    options: [...periodOptions, ['-o, --output <file>', 'the file (default: stdout)'], ...filterOptions],
    examples: [
      'audit export --from yesterday -o yesterday.jsonl',
      'audit export --from 2026-03-01 --to 2026-04-01 | jq .action',
    ],
    run: exportEvents,
  });
}

export const queryFrom = (
  session: Session,
  options: FilterOptions & PeriodOptions,
): AuditEventsListQuery => ({ ...filtersFrom(options), ...periodOf(session, options) });

/** @returns the actor; a workload identity has the subject of its token, too: `deploy as repo:acme/shop:ref:refs/heads/main` */
const actorText = (actor: AuditEvent['actor'], nameOf: (actor: AuditEvent['actor']) => string): string =>
  nameOf(actor) + (actor.subject ? ` as ${actor.subject}` : '');

function lineOf({ actor, action, resource, changes, reason }: AuditEvent): string {
  const detail = reason ?? changes?.fields.join(', ') ?? '';
  const author = actorText(actor, ({ name, id }) => (name === null ? id : `${name} (${id})`));
  return `${author}  ${action}  ${resource.type} ${resource.id}  ${detail}`.trimEnd();
}

async function exportEvents(
  session: Session,
  { output, ...options }: FilterOptions & PeriodOptions & { output?: string },
): Promise<void> {
  const { platform, out } = session;
  const events = platform.auditEvents.list({ ...queryFrom(session, options), limit: 100 });
  let count = 0;
  const write = async (append: (text: string) => Promise<unknown>) => {
    for await (const event of events) {
      await append(`${safeJson(event)}\n`);
      count += 1;
    }
  };
  if (output === undefined || output === '-') {
    await write((text) => out.data(text));
    return out.note(counted(count, 'event'));
  }
  await writeWhole(output, (partial) => write((text) => partial.appendFile(text)));
  if (out.json) return out.jsonLine({ file: output, events: count });
  out.note(`${counted(count, 'event')} in ${output}`);
}
