/** The audit log: who changed what, and what was refused. */

import type { AuditEvent } from '../../../clients/typescript/src/index.ts';
import { useLoad } from '../request/use-load.ts';
import { usePages } from '../request/use-pages.ts';
import { can, platform, session } from '../session/session.ts';
import { Badge, Empty, Facts } from '../shared/basics.tsx';
import { Id } from '../shared/copy.tsx';
import { Credential } from '../shared/credential.tsx';
import { Value, ValueDifference } from '../shared/diff.tsx';
import { ResourceLink } from '../shared/links.tsx';
import { ProjectLink } from '../shared/project-link.tsx';
import { filterValue, SelectFilter, setFilters, TextFilter } from '../shared/query-filters.tsx';
import { Name } from '../shared/text.tsx';
import { Log, LogRow } from './logs/log.tsx';

const filterNames = ['actor', 'action', 'resourceId', 'projectId', 'from', 'to'] as const;

export default function AuditLog() {
  const [actor, action, resourceId, projectId, from, to] = filterNames.map(filterValue);
  const list = usePages<AuditEvent>(
    'page',
    (signal) =>
      platform().auditEvents.list({ limit: 50, actor, action, resourceId, projectId, from, to }, { signal }),
    [actor, action, resourceId, projectId, from, to],
  );
  return (
    <Log
      title="Audit log"
      label="Audit events"
      list={list}
      names={filterNames}
      filters={
        <>
          <ActorFilter />
          <ActionFilter />
        </>
      }
      row={(event) => <Row event={event} />}
      empty={
        <Empty title="The log is empty" command="platform audit tail">
          Each change appears here within seconds, with its author.
        </Empty>
      }
    />
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** @returns the name of the resource, if the log has it */
const nameIn = ({ changes }: AuditEvent): string | undefined =>
  [changes?.after?.name, changes?.before?.name].find(isText);

function Row({ event }: { event: AuditEvent }) {
  const { actor, action, outcome, resource, at } = event;
  return (
    <LogRow
      who={<Name value={actor.kind === 'worker' ? 'a worker' : (actor.name ?? actor.id)} />}
      main={
        <>
          <code>{action}</code> {outcome === 'refused' && <Badge value="refused" tone="bad" />}
        </>
      }
      what={
        <>
          {resource.type.replaceAll('_', ' ')} <Name value={nameIn(event) ?? `…${resource.id.slice(-6)}`} />
        </>
      }
      at={at}
    >
      {() => <Details event={event} />}
    </LogRow>
  );
}

const reasons: Readonly<Record<string, string>> = {
  key_revoked: 'The key was revoked.',
  key_expired: 'The key has expired.',
  address_not_allowed: 'The key may not be used from this address.',
  escalation: 'The credential tried to grant more than it has.',
};

function Details({ event }: { event: AuditEvent }) {
  const { actor, resource, projectId, changes, origin, reason, callId, requestId } = event;
  const filters = [
    ['This actor', { actor: actor.id }],
    ['This resource', { resourceId: resource.id }],
    ['This action', { action: event.action }],
  ] as const;
  return (
    <>
      {reason && <p class="notice">{reasons[reason] ?? `Refused: ${reason}`}</p>}
      {event.outcome === 'succeeded' && <ChangedFields changes={changes} />}
      <Facts
        facts={[
          [
            'Actor',
            <>
              <Credential id={actor.id} name={actor.name} /> <Id value={actor.id} />
            </>,
          ],
          [
            'Resource',
            <>
              <ResourceLink id={resource.id} project={projectId} name={nameIn(event)} />{' '}
              <Id value={resource.id} />
            </>,
          ],
          ['Project', projectId ? <ProjectLink id={projectId} /> : 'none'],
          ['From', origin ? <Name value={origin.address} /> : '—'],
          ['With', origin ? <Name value={origin.userAgent} /> : '—'],
          ...(origin?.via ? [['Via', <Name value={origin.via} />] as const] : []),
          ['Request', <Id value={requestId} />],
          ['Call', <Id value={callId} />],
          ['Event', <Id value={event.id} />],
        ]}
      />
      <p class="row">
        <span class="quiet">Show only</span>
        {filters.map(([label, values]) => (
          <button key={label} type="button" class="small" onClick={() => setFilters(values)}>
            {label}
          </button>
        ))}
      </p>
    </>
  );
}

/** A choice of keys by name. A link may name another actor, such as a worker. */
function ActorFilter() {
  const me = session.value?.me;
  const mayList = can('api-keys:read');
  const { data: keys = [] } = useLoad(
    async (signal) => (mayList ? (await platform().apiKeys.list({ limit: 100 }, { signal })).items : []),
    [],
  );
  if (!mayList)
    return (
      <TextFilter name="actor" label="Actor" placeholder="key_… or sub:…" suggestions={me ? [me.id] : []} />
    );
  const isAmbiguous = (name: string) => keys.filter((key) => key.name === name).length > 1;
  const labelOf = (id: string, name: string) =>
    `${name.slice(0, 80)}${isAmbiguous(name) ? ` …${id.slice(-6)}` : ''}${id === me?.id ? ' (you)' : ''}`;
  const keyOptions = keys.map(({ id, name }) => [id, labelOf(id, name)] as const);
  const otherOptions = [filterValue('actor'), me?.id]
    .filter((id) => id !== undefined)
    .filter((id, at, ids) => ids.indexOf(id) === at && !keys.some((key) => key.id === id))
    .map((id) => [id, id === me?.id ? `${id} (you)` : id] as const);
  return (
    <SelectFilter
      name="actor"
      label="Actor"
      anyLabel="Everybody"
      options={[...otherOptions, ...keyOptions]}
    />
  );
}

/** A field that suggests every operation that changes something. It takes workers and commands, too. */
function ActionFilter() {
  const { data } = useLoad(async () => {
    const { operations } = await import('../../../cli/src/derived/operation.ts');
    return operations.filter(({ method }) => method !== 'GET').map(({ id }) => id);
  }, []);
  return <TextFilter name="action" label="Action" placeholder="projects.update" suggestions={data ?? []} />;
}

type Changes = NonNullable<AuditEvent['changes']>;

/** @returns `Expires at` of `expiresAt` */
const fieldName = (field: string): string =>
  field
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (first) => first.toUpperCase());

/** The fields that a call has changed, with their values. */
function ChangedFields({ changes }: { changes: Changes | null }) {
  if (!changes) return <p class="quiet">The log has no fields of this event.</p>;
  const { fields, before, after } = changes;
  if (fields.length === 0) return <p class="quiet">No field has changed.</p>;
  return (
    <>
      {before === null && after !== null && <p class="quiet">The resource is new.</p>}
      {after === null && before !== null && (
        <p class="quiet">The resource was deleted. These were its values.</p>
      )}
      <table class="changed">
        <caption class="sr-only">Changed fields</caption>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{fieldName(field)}</th>
              <td>
                <Change field={field} changes={changes} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const has = (values: Readonly<Record<string, unknown>> | null, field: string): boolean =>
  values !== null && Object.hasOwn(values, field);

function Change({ field, changes: { before, after, omitted } }: { field: string; changes: Changes }) {
  if (omitted.includes(field)) return <span class="quiet">too long for the log</span>;
  const [hadValue, hasValue] = [has(before, field), has(after, field)];
  if (!hadValue && !hasValue) return <span class="quiet">the log does not keep its value</span>;
  if (before === null) return <Value value={after?.[field]} />;
  if (after === null) return <Value value={before[field]} />;
  return <ValueDifference before={before[field]} after={after[field]} />;
}
