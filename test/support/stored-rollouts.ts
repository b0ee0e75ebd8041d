/** Rollouts that are stored without an endpoint, and the assignments of their units. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { assign, showAssignment, type Variant } from '../../lib/rollouts/assign.ts';
import { type Json, storedOf, type TestApi } from '../../samples/api.ts';

export const rolloutId = 'rol_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
export const candidateId = 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4F';
export const currentId = 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

type Span = { span: number; percent: number; from: string; until: string | null };

/** A span that has begun an hour ago. */
export const openSpan = (span: number, percent: number, until: string | null = null): Span => ({
  span,
  percent,
  from: new Date(Date.now() - 3_600_000).toISOString(),
  until,
});

/** Stores a rollout at 50 % in `production`, without what the environment needs of it. */
export async function storeRollout(
  { runtime, organisationId }: Pick<TestApi, 'runtime' | 'organisationId'>,
  project: string,
  changes: Json = {},
): Promise<void> {
  const createdAt = new Date().toISOString();
  const item = {
    tenant: `${organisationId}#live#${project}#rollouts`,
    id: rolloutId,
    environment: 'production',
    deploymentId: candidateId,
    currentDeploymentId: currentId,
    ...{ status: 'running', percent: 50, span: 1, spans: [openSpan(1, 50)], steps: null, step: null },
    ...{ guards: [], onBreach: 'roll_back', breach: null, reason: null, history: [], conversationsBefore: 0 },
    ...{ since: createdAt, by: 'worker:test', setBy: 'worker:test', version: 1 },
    ...{ createdAt, createdBy: 'worker:test', endedAt: null },
    ...{ changedBy: 'worker:test', changedThrough: 'worker:test' },
    changedIn: runtime.newId('call', runtime.nowMs()),
    ...changes,
  };
  await runtime.client.send(new PutCommand({ TableName: runtime.tableNames.deployments, Item: item }));
}

/** @returns the assignment of the unit with this number, among those with this variant */
export function assignmentOf(
  variant: Variant,
  number = 0,
  { id = rolloutId, span = 1, percent = 50 }: { id?: string; span?: number; percent?: number } = {},
): string {
  for (let unit = 0, found = 0; ; unit += 1) {
    const assignment = assign({ id, span, percent }, `user-${unit}`);
    if (assignment.variant !== variant) continue;
    if (found === number) return showAssignment(assignment);
    found += 1;
  }
}

/** @returns the stored items of units that have counted */
export const unitsOf = async (api: Pick<TestApi, 'runtime' | 'organisationId'>): Promise<Json[]> =>
  (await storedOf(api, 'conversations')).filter(({ tenant }) => `${tenant}`.endsWith('#rollout-units'));
