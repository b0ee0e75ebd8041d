import type { TableName } from '../../lib/dynamodb/tables.ts';
import { dueItems, entries, waitingItems, whenResumedMs } from '../../lib/schedule/due.ts';
import { checkpoints, schedulerId } from '../../lib/schedule/scheduler.ts';
import { kind, ulid } from './kind.ts';

const minute = '2026-03-01T10:01';
const dueMs = Date.parse(`${minute}:35Z`);
const conversation = {
  id: `conv_${ulid}`,
  parents: [`proj_${ulid}`],
  writer: 'conversation-sweeper',
} as const;
const project = { id: `proj_${ulid}`, parents: ['deleted'], writer: 'project-purger' } as const;
const key = { id: `key_${ulid}`, parents: [], writer: 'event-writer' } as const;
const webhook = { id: `whk_${ulid}`, parents: [], writer: 'event-writer' } as const;
const job = { id: `job_${ulid}`, parents: [`proj_${ulid}`], writer: 'event-writer' } as const;
const exported = {
  id: `job_${ulid}`,
  parents: [`proj_${ulid}`],
  writer: 'exporter',
  worker: 'export-remover',
} as const;
const uploaded = {
  id: `upl_${ulid}`,
  parents: [`proj_${ulid}`],
  writer: 'export-remover',
} as const;
const delivery = { id: `dlv_${ulid}`, parents: [`whk_${ulid}`], writer: 'webhook-sender' } as const;
const due = { tenant: 'due', parents: [minute] as [string], tenantText: 'due#<minute>' } as const;

/** `worker` gets the notice; the one that has scheduled it when left out. */
type Target = { id: string; parents: readonly string[]; writer: string; worker?: string };

/** @param varies the parts of its keys that differ between items of the kind */
const dueKind = (
  { id, parents, writer, worker = writer }: Target,
  table: TableName,
  about: string,
  varies: readonly string[] = [],
) => {
  const place = [`org_${ulid}#live`, ...parents, id].join('#');
  return kind(dueItems, {
    ...due,
    about,
    removed: 'never: the scheduler removes it',
    varies,
    writer: `worker:${writer}`,
    idText: `<time>#${worker}#${place.replaceAll(ulid, '…')}`,
    item: { id: `${dueMs}#${worker}#${place}`, table },
  });
};

const entryKind = (
  { id, parents, writer, worker = writer }: Target,
  about: string,
  varies: readonly string[] = [],
) =>
  kind(entries, {
    parents: [...parents],
    about,
    varies,
    writer: `worker:${writer}`,
    item: { id: `${worker}#${id}`, dueMs },
  });

const reindexed = { id: `job_${ulid}`, parents: [`proj_${ulid}`], writer: 'knowledge-indexer' } as const;

/** The same items as those of what is due. */
const waitingKind = ({ id, parents, writer }: Target, table: TableName, about: string) => {
  const place = [`org_${ulid}#live`, ...parents, id].join('#');
  return kind(waitingItems, {
    parents: [],
    about,
    removed: 'never: the end of the suspension removes it',
    writer: `worker:${writer}`,
    idText: `9999999999999#${writer}#${place.replaceAll(ulid, '…')}`,
    item: { id: `${whenResumedMs}#${writer}#${place}`, table },
  });
};

export const scheduleKinds = [
  dueKind(conversation, 'conversations', 'a conversation that may have timed out then'),
  dueKind(project, 'projects', 'a deleted project that is purged then'),
  dueKind(key, 'apiKeys', 'an API key that expires soon, or has expired then'),
  dueKind(
    job,
    'jobs',
    'a job whose deadline it is; or a resource that is gone, and that its events may not show after it',
    [job.id],
  ),
  dueKind(webhook, 'webhooks', 'a deleted webhook, which its events may not show after it'),
  dueKind(exported, 'jobs', 'an export whose files are removed then'),
  dueKind(uploaded, 'jobs', 'an uploaded file that is removed then'),
  dueKind(delivery, 'deliveries', 'a delivery that is attempted then'),
  entryKind(conversation, 'when its timeout is due'),
  entryKind(project, 'when its purge is due'),
  entryKind(key, 'when its next event is due'),
  entryKind(job, 'when its deadline is, or when its events may no longer show it', [job.id]),
  entryKind(webhook, 'when its events may no longer show it'),
  entryKind(exported, 'when the removal of its files is due'),
  entryKind(uploaded, 'when its removal is due'),
  kind(checkpoints, {
    tenant: schedulerId,
    parents: [],
    about: 'how far the scheduler has come',
    writer: `worker:${schedulerId}`,
    item: { id: 'checkpoint', minute },
  }),
  entryKind(delivery, 'when its next attempt is due'),
  waitingKind(delivery, 'deliveries', 'a delivery that waits until its organisation is no longer suspended'),
  waitingKind(
    reindexed,
    'jobs',
    'a job that waits for the same. So may its deadline, for the worker `event-writer`',
  ),
  entryKind(reindexed, 'that it waits until its organisation is no longer suspended'),
];
