/** The events of the last 30 days, which webhooks send. */

import type { EventsListQuery, PlatformEvent } from '../../../clients/typescript/src/index.ts';
import { readableTypes } from '../../../lib/events/scopes.ts';
import { eventTypes, familyOf } from '../../../lib/events/types.ts';
import { usePages } from '../request/use-pages.ts';
import { platform, session } from '../session/session.ts';
import { Empty } from '../shared/basics.tsx';
import { Id } from '../shared/copy.tsx';
import { ResourceLink } from '../shared/links.tsx';
import { ProjectLink } from '../shared/project-link.tsx';
import { filterChoice, filterValue, SelectFilter, setFilters } from '../shared/query-filters.tsx';
import { Json, Name } from '../shared/text.tsx';
import { Log, LogRow } from './logs/log.tsx';

const filterNames = ['type', 'resourceId', 'projectId', 'from', 'to'] as const;

type Type = NonNullable<EventsListQuery['type']>;

/** @returns the types that the credential may read: all of a kind, and each of its types */
function choices(): readonly (readonly [Type, string])[] {
  const types = readableTypes(session.value?.me.scopes ?? []);
  const kinds = [...new Set(types.map(familyOf))];
  return kinds.flatMap((kind) => [
    [`${kind}.*` as Type, `${kind.replaceAll('_', ' ')}: all`] as const,
    ...types.filter((type) => familyOf(type) === kind).map((type) => [type, `\u2003${type}`] as const),
  ]);
}

export default function Events() {
  const options = choices();
  const type = filterChoice(
    'type',
    options.map(([value]) => value),
  );
  const [resourceId, projectId, from, to] = ['resourceId', 'projectId', 'from', 'to'].map(filterValue);
  const list = usePages<PlatformEvent>(
    'page',
    (signal) => platform().events.list({ limit: 50, type, resourceId, projectId, from, to }, { signal }),
    [type, resourceId, projectId, from, to],
  );
  return (
    <Log
      title="Events"
      label="Events"
      list={list}
      names={filterNames}
      filters={<SelectFilter name="type" label="Type" anyLabel="All" options={options} />}
      row={(event) => <Row event={event} />}
      empty={
        <Empty title="There was no event in the last 30 days" command="platform events tail">
          Each change of a resource is an event. A webhook sends events to your server.
        </Empty>
      }
    />
  );
}

/** @returns the id of the resource, or the name of an environment */
function resourceOf({ data }: PlatformEvent): { id: string; name: string | undefined } {
  const { id, name, title } = data as { id?: unknown; name?: unknown; title?: unknown };
  const texts = [id, name, title].map((one) => (typeof one === 'string' ? one : undefined));
  return { id: texts[0] ?? texts[1] ?? '', name: texts[1] ?? texts[2] };
}

function Row({ event }: { event: PlatformEvent }) {
  const { id, name } = resourceOf(event);
  return (
    <LogRow
      who={<code>{event.type}</code>}
      main={<Name value={name ?? `…${id.slice(-6)}`} />}
      at={event.timestamp}
    >
      {() => (
        <>
          <p>{eventTypes[event.type]}</p>
          <p class="row">
            <ResourceLink id={id} project={event.projectId} name={name} /> <Id value={id} />
            {event.projectId && (
              <span>
                in <ProjectLink id={event.projectId} />
              </span>
            )}
            <span class="quiet">
              Event <Id value={event.id} />
            </span>
            <button type="button" class="small" onClick={() => setFilters({ resourceId: id })}>
              Only this resource
            </button>
          </p>
          <Json value={event.data} />
        </>
      )}
    </LogRow>
  );
}
