/** The commands of the audit log: list, get, tail, export. */

import type { Command } from 'commander';
import type { AuditEvent, AuditEventsListQuery } from '../../../clients/typescript/src/index.ts';
import { checkId, type Define } from '../command.ts';
import { writeWhole } from '../export/partial.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';
import type { Output } from '../output/output.ts';
import { counted, safeJson, safeLine } from '../output/text.ts';
import { type PeriodOptions, periodFrom, periodHelp, periodOptions } from '../period.ts';
import type { Session } from '../session.ts';
import { follow, type IntervalOption, intervalOption } from '../tail.ts';

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

  define<ListOptions & FilterOptions & PeriodOptions>(parent, {
    name: 'list',
    summary: 'Lists events, newest first',
    options: [...listOptions, ...filterOptions, ...periodOptions],
    examples: [
      'audit list --from today --action api-keys.create',
      'audit list --resource key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --json',
    ],
    async run(session, { limit, all, ...options }) {
      const query = queryFrom(session, options);
      await printList(
        session,
        { ...(limit !== undefined && { limit }), ...(all && { all }) },
        (page) => session.platform.auditEvents.list({ ...query, ...page }),
        {
          at: ({ at }) => at,
          actor: ({ actor }) => actorText(actor, ({ name, id }) => name ?? id),
          action: ({ action }) => action,
          resource: ({ resource }) => resource.id,
          changed: ({ changes, reason }) => reason ?? changes?.fields ?? [],
          from: ({ origin }) =>
            [origin?.address ?? '', ...(origin?.via ? [`via ${origin.via}`] : [])].join(' '),
        },
      );
    },
  });

  define(parent, {
    name: 'get <id>',
    summary: 'Shows an event',
    examples: ['audit get aud_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: async ({ platform, out }, _options, id) => out.item(await platform.auditEvents.get(checkId(id))),
  });

  define<FilterOptions & IntervalOption>(parent, {
    name: 'tail',
    summary: 'Prints events as they come, until you press Ctrl+C',
    details:
      'An event may appear late, in the place of its time. So the command reads the last two minutes again with ' +
      'each request, and prints the new events. After a lost connection, it continues at the same place.',
    options: [...filterOptions, intervalOption],
    examples: ['audit tail', 'audit tail --actor key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --json'],
    run: tail,
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

export function queryFrom({ shell }: Session, options: FilterOptions & PeriodOptions): AuditEventsListQuery {
  const { startedFrom: from, startedBefore: to } = periodFrom(options, shell.nowMs());
  return { ...filtersFrom(options), from, to };
}

const tail = (session: Session, { interval, ...options }: FilterOptions & IntervalOption) =>
  follow(session, {
    list: (query) => session.platform.auditEvents.list({ ...filtersFrom(options), limit: 100, ...query }),
    timeOf: ({ at }: AuditEvent) => at,
    take: (event) => printEvent(session.out, event),
    intervalSeconds: interval,
  });

/** @returns the actor; a workload identity has the subject of its token, too: `deploy as repo:acme/shop:ref:refs/heads/main` */
const actorText = (actor: AuditEvent['actor'], nameOf: (actor: AuditEvent['actor']) => string): string =>
  nameOf(actor) + (actor.subject ? ` as ${actor.subject}` : '');

async function printEvent(out: Output, event: AuditEvent): Promise<void> {
  if (out.json) return out.jsonLine(event);
  const { actor, resource, changes, reason } = event;
  const detail = reason ?? changes?.fields.join(', ') ?? '';
  const author = actorText(actor, ({ name, id }) => (name === null ? id : `${name} (${id})`));
  await out.line(
    out.paint('dim', `${safeLine(event.at)}  `) +
      safeLine(`${author}  ${event.action}  ${resource.type} ${resource.id}  ${detail}`.trimEnd()),
  );
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
