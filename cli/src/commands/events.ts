/** The commands of events: list, get, tail. */

import type { Command } from 'commander';
import type { EventsListQuery, PlatformEvent } from '../../../clients/typescript/src/index.ts';
import type { Define } from '../command.ts';
import { addLog } from './log.ts';

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

  addLog(parent, define, {
    filterOptions,
    filtersFrom,
    entries: ({ platform }) => platform.events,
    timeOf: ({ timestamp }: PlatformEvent) => timestamp,
    columns: {
      at: ({ timestamp }) => timestamp,
      type: ({ type }) => type,
      resource: subjectOf,
      id: ({ id }) => id,
      project: ({ projectId }) => projectId ?? '',
    },
    lineOf: (event) => `${event.type}  ${subjectOf(event)}`,
    examples: {
      list: ['events list --from today --type conversation.ended', "events list --type 'job.*' --json"],
      get: ['events get evt_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
      tail: ['events tail', "events tail --type 'conversation.*' --json | jq .data"],
    },
  });
}

/** @returns the id of the resource, or the name of an environment */
export function subjectOf({ data }: PlatformEvent): string {
  return 'id' in data ? data.id : data.name;
}
