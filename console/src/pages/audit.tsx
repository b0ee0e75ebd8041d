/** The audit log: who changed what, and what was refused. */

import type { AuditEvent } from '../../../clients/typescript/src/index.ts';
import { usePages } from '../request/use-pages.ts';
import { platform } from '../session/session.ts';
import { Badge, Empty, Facts } from '../shared/basics.tsx';
import { Id } from '../shared/copy.tsx';
import { Credential } from '../shared/credential.tsx';
import { ResourceLink } from '../shared/links.tsx';
import { ProjectLink } from '../shared/project-link.tsx';
import { filterValue, setFilters } from '../shared/query-filters.tsx';
import { Name } from '../shared/text.tsx';
import { ActionFilter, ActorFilter } from './logs/audit-filters.tsx';
import { ChangedFields } from './logs/changed-fields.tsx';
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
