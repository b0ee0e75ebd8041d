/** The assignment that a new conversation has, and whether its unit counts with it. */

import { invalidField } from '../../base/errors.ts';
import { minuteMs } from '../../base/time.ts';
import { type Assignment, isConsistent, parseAssignment, showAssignment } from '../assign.ts';
import type { Rollout } from '../schema.ts';
import { getRollout, type ProjectStore, type StoredRollout } from '../store.ts';
import { getUnit, isCounted, type StoredUnit } from './store.ts';

/** A conversation counts in its span until this long after the end of the span. A client may hear late of a change. */
const graceMs = 10 * minuteMs;

/** An assignment with what is stored of it. */
export type FoundAssignment = {
  assignment: Assignment;
  rollout: StoredRollout | undefined;
  unit: StoredUnit | undefined;
};

/** What a conversation stores of its assignment. */
export type Assigned = {
  assignment: string;
  deploymentId: string;
  /** The conversation is the first one of its unit, and came in time. */
  counted?: true;
  late?: true;
};

/** @returns undefined without an assignment. Then nothing is read */
export async function readAssignment(
  store: ProjectStore,
  text: string | null | undefined,
): Promise<FoundAssignment | undefined> {
  const assignment = text ? parseAssignment(text) : undefined;
  if (!assignment) return undefined;
  const [rollout, unit] = await Promise.all([
    getRollout(store, assignment.rolloutId),
    getUnit(store, assignment),
  ]);
  return { assignment, rollout, unit };
}

type Context = { caller: { environments: readonly string[] | null }; nowMs: number };

/**
 * @param deploymentId as it was sent. If it was not, the conversation has the deployment of its variant
 * @throws ApiError validation_error if the rollout has not made this assignment, or for another deployment
 */
export function assignedOf(
  found: FoundAssignment | undefined,
  deploymentId: string | null | undefined,
  { caller: { environments }, nowMs }: Context,
): Assigned | undefined {
  if (!found) return undefined;
  const { assignment, rollout, unit } = found;
  if (!rollout || (environments !== null && !environments.includes(rollout.environment)))
    throw invalidField('assignment', 'must be of a rollout in this project');
  if (!isConsistent(rollout, assignment))
    throw invalidField('assignment', 'must have a span, a variant and a hash that agree');
  const { variant } = assignment;
  const assigned = variant === 'candidate' ? rollout.deploymentId : rollout.currentDeploymentId;
  if (deploymentId !== undefined && deploymentId !== assigned)
    throw invalidField('deploymentId', `must be ${assigned}, or left out: the assignment is \`${variant}\``);
  const stored = { assignment: showAssignment(assignment), deploymentId: assigned };
  if (isLate(rollout, assignment, nowMs)) return { ...stored, late: true };
  return isCounted(unit, nowMs) ? stored : { ...stored, counted: true };
}

const isLate = (
  { spans, endedAt }: Pick<Rollout, 'spans' | 'endedAt'>,
  { span }: Assignment,
  nowMs: number,
): boolean =>
  [spans[span - 1]?.until ?? null, endedAt].some((end) => end !== null && nowMs > Date.parse(end) + graceMs);
