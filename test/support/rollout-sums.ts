/** The sums of rollouts, and what a scan of the conversations and their scores says. */

import { countDeployed, readRolloutSums } from '../../lib/conversations/rollout-sums.ts';
import { openSession } from '../../lib/dynamodb/session.ts';
import { bindStore } from '../../lib/dynamodb/store.ts';
import { parseAssignment } from '../../lib/rollouts/assign.ts';
import type { RolloutSum } from '../../lib/rollouts/contribution.ts';
import type { Moments } from '../../lib/rollouts/sequence.ts';
import type { Json, TestApi } from '../../samples/api.ts';

function openSums({ runtime, organisationId }: TestApi, project: string) {
  const session = openSession(runtime.client, runtime.tableNames, {
    conversationStats: ['Query', 'BatchGetItem'],
    conversationSearch: ['GetItem'],
  });
  return bindStore(session, `${organisationId}#live`).inProject(project);
}

/** @returns the sums as they are stored, in order */
export const storedSums = (api: TestApi, project: string, id: string): Promise<RolloutSum[]> =>
  readRolloutSums(openSums(api, project), { id });

export const deployedCount = (
  api: TestApi,
  project: string,
  deploymentIds: readonly string[],
  range: { from: string; until: string },
): Promise<number> => countDeployed(openSums(api, project), deploymentIds, range);

type Guard = { score: string; value?: string };
type Scanned = { conversation: Json; scores: Map<string, Json> | undefined };

const momentsOf = (values: readonly number[]): Moments => ({
  count: values.length,
  sum: values.reduce((sum, value) => sum + value, 0),
  squares: values.reduce((sum, value) => sum + value ** 2, 0),
});

/** @returns the sums of the conversations with an assignment, in the order of the stored ones */
export function scannedSums(all: readonly Scanned[], guards: readonly Guard[]): RolloutSum[] {
  const assigned = all.filter(({ conversation }) => conversation.assignment && !conversation.late);
  const keyOf = ({ conversation }: Scanned) => {
    const assignment = parseAssignment(`${conversation.assignment}`);
    return `${assignment?.span}#${assignment?.variant}`;
  };
  return [...Map.groupBy(assigned, keyOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, some]): RolloutSum => {
      const [span, variant] = key.split('#');
      const units = some.filter(({ conversation }) => conversation.counted);
      const ended = units.filter(({ conversation }) => conversation.status === 'ended');
      const valuesOf = ({ score, value: category }: Guard): number[] =>
        ended.flatMap(({ scores }) => {
          const text = scores?.get(score)?.value;
          const value: unknown = typeof text === 'string' ? JSON.parse(text) : null;
          if (typeof value === 'string') return category === undefined ? [] : [value === category ? 1 : 0];
          return value === null ? [] : [Number(value)];
        });
      const secondsOf = ({ startedAt, lastMessageAt }: Json) =>
        lastMessageAt ? (Date.parse(`${lastMessageAt}`) - Date.parse(`${startedAt}`)) / 1000 : 0;
      return {
        span: Number(span),
        variant: variant === 'candidate' ? 'candidate' : 'current',
        conversations: some.length,
        units: units.length,
        open: units.length - ended.length,
        guards: Array.from({ length: 5 }, (_, at) => {
          const guard = guards[at];
          const values = guard ? valuesOf(guard) : [];
          return { moments: momentsOf(values), unknown: guard ? ended.length - values.length : 0 };
        }),
        duration: momentsOf(ended.map(({ conversation }) => secondsOf(conversation))),
        messages: momentsOf(ended.map(({ conversation }) => conversation.messageCount as number)),
      };
    });
}

/** Sums of decimals may differ in the last digits of a double. */
export const rounded = (sums: readonly RolloutSum[]): unknown =>
  JSON.parse(JSON.stringify(sums), (_, value) =>
    typeof value === 'number' ? Number(value.toPrecision(12)) : value,
  );
