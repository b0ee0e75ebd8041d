import { dueItems, entries } from '../../lib/schedule/due.ts';
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
const due = { tenant: 'due', parents: [minute] as [string], tenantText: 'due#<minute>' } as const;

const dueKind = (
  { id, parents, writer }: typeof conversation | typeof project,
  table: 'conversations' | 'projects',
  about: string,
) => {
  const place = [`org_${ulid}#live`, ...parents, id].join('#');
  return kind(dueItems, {
    ...due,
    about,
    removed: 'never: the scheduler removes it',
    writer: `worker:${writer}`,
    idText: `<time>#${writer}#${place.replaceAll(ulid, '…')}`,
    item: { id: `${dueMs}#${writer}#${place}`, table },
  });
};

const entryKind = ({ id, parents, writer }: typeof conversation | typeof project, about: string) =>
  kind(entries, {
    parents: [...parents],
    about,
    writer: `worker:${writer}`,
    item: { id: `${writer}#${id}`, dueMs },
  });

export const scheduleKinds = [
  dueKind(conversation, 'conversations', 'a conversation that may have timed out then'),
  dueKind(project, 'projects', 'a deleted project that is purged then'),
  entryKind(conversation, 'when its timeout is due'),
  entryKind(project, 'when its purge is due'),
  kind(checkpoints, {
    tenant: schedulerId,
    parents: [],
    about: 'how far the scheduler has come',
    writer: `worker:${schedulerId}`,
    item: { id: 'checkpoint', minute },
  }),
];
