import { jobPlaces } from '../../lib/jobs/store.ts';
import { dayContributions, daySums } from '../../lib/limits/store/day-uses.ts';
import { usages } from '../../lib/limits/store/quotas.ts';
import { windows } from '../../lib/limits/store/windows.ts';
import { exampleTime, kind, ulid } from './kind.ts';

const startMs = Date.parse('2026-03-01T09:30:00Z');
const window = { id: '1m', startMs, count: 42, previousCount: 57, ttl: startMs / 1000 + 120 } as const;

const endOfDay = Date.parse('2026-03-02') / 1000;
const counts = { documents: 0, bytes: 95, conversations: 1, messages: 2 };

const windowKind = (holder: string, about: string) =>
  kind(windows, {
    parents: [holder, '0'],
    varies: ['1m'],
    about,
    removed: 'when its period and the next one have ended',
    item: window,
    isUnstamped: true,
  });

export const limitKinds = [
  windowKind(`key_${ulid}`, 'the requests of a key in a minute, or in its share of them'),
  windowKind('tenant', 'the requests of all credentials'),
  kind(usages, {
    parents: [],
    varies: ['messages'],
    idText: '<day>#<quota>',
    about: 'what is used of a quota',
    removed: 'when the day has ended',
    item: { id: '2026-03-01#messages', used: 1200, ttl: endOfDay },
  }),
  kind(daySums, {
    writer: 'worker:usage-counter',
    parents: [],
    varies: ['2026-03-01'],
    idText: '<day>',
    about: 'what is stored in a day',
    removed: 'when the day has ended',
    item: { id: '2026-03-01', ...counts, countedThrough: exampleTime, ttl: endOfDay },
  }),
  kind(dayContributions, {
    writer: 'worker:usage-counter',
    parents: [`proj_${ulid}`],
    varies: [`conv_${ulid}`],
    idText: 'conv_… or kdoc_…',
    about: 'what a conversation or a document has added to it',
    removed: 'when the day has ended',
    item: { id: `conv_${ulid}`, day: '2026-03-01', ...counts, ttl: endOfDay },
  }),
  kind(jobPlaces, {
    parents: [],
    about: 'the last job that has taken this place among those of the quota',
    removed: 'after the deadline of the job',
    item: {
      id: '00',
      projectId: `proj_${ulid}`,
      jobId: `job_${ulid}`,
      ttl: startMs / 1000 + 3600,
    },
  }),
];
