/** The commands of events: list, get, tail. */

import type { Command } from 'commander';
import type {
  EventsListQuery,
  PlatformEvent,
  PlatformEventList,
} from '../../../clients/typescript/src/index.ts';
import { checkId, type Define } from '../command.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';
import type { Output } from '../output/output.ts';
import { safeLine } from '../output/text.ts';
import { type PeriodOptions, periodFrom, periodOptions } from '../period.ts';
import { follow, type IntervalOption, intervalOption } from '../tail.ts';

type FilterOptions = { type?: string; resource?: string; project?: string };

const filterOptions = [
  ['--type <type>', 'only this type, such as job.succeeded, or project.* for a kind of resource'],
  ['--resource <id>', 'only events of this resource'],
  ['--project <id>', 'only events of this project'],
] as const;

/** @returns the filters of a request. The API checks the type */
const filtersFrom = ({ type, resource, project }: FilterOptions): EventsListQuery => ({
  ...(type !== undefined && { type: type as NonNullable<EventsListQuery['type']> }),
  resourceId: resource,
  projectId: project,
});

export function addEvents(program: Command, define: Define): void {
  const parent = program
    .command('events')
    .summary('Follow events')
    .description('The events of your resources in the last 30 days.');

  define<ListOptions & FilterOptions & PeriodOptions>(parent, {
    name: 'list',
    summary: 'Lists events, newest first',
    options: [...listOptions, ...filterOptions, ...periodOptions],
    examples: ['events list --from today --type conversation.ended', "events list --type 'job.*' --json"],
    async run(session, { limit, all, ...options }) {
      const { startedFrom: from, startedBefore: to } = periodFrom(options, session.shell.nowMs());
      await printList<PlatformEventList>(
        session,
        { ...(limit !== undefined && { limit }), ...(all && { all }) },
        (page) => session.platform.events.list({ ...filtersFrom(options), from, to, ...page }),
        {
          at: ({ timestamp }) => timestamp,
          type: ({ type }) => type,
          resource: subjectOf,
          id: ({ id }) => id,
          project: ({ projectId }) => projectId ?? '',
        },
      );
    },
  });

  define(parent, {
    name: 'get <id>',
    summary: 'Shows an event',
    examples: ['events get evt_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: async ({ platform, out }, _options, id) => out.item(await platform.events.get(checkId(id))),
  });

  define<FilterOptions & IntervalOption>(parent, {
    name: 'tail',
    summary: 'Prints events as they come, until you press Ctrl+C',
    details:
      'An event may appear late, in the place of its time. So the command reads the last two minutes again with ' +
      'each request, and prints the new events. After a lost connection, it continues at the same place.',
    options: [...filterOptions, intervalOption],
    examples: ['events tail', "events tail --type 'conversation.*' --json | jq .data"],
    run: (session, { interval, ...options }) =>
      follow(session, {
        list: (query) => session.platform.events.list({ ...filtersFrom(options), limit: 100, ...query }),
        timeOf: ({ timestamp }: PlatformEvent) => timestamp,
        take: (event) => printEvent(session.out, event),
        intervalSeconds: interval,
      }),
  });
}

/** @returns the id of the resource, or the name of an environment */
export function subjectOf({ data }: PlatformEvent): string {
  return 'id' in data ? data.id : data.name;
}

async function printEvent(out: Output, event: PlatformEvent): Promise<void> {
  if (out.json) return out.jsonLine(event);
  await out.line(
    out.paint('dim', `${safeLine(event.timestamp)}  `) + safeLine(`${event.type}  ${subjectOf(event)}`),
  );
}
