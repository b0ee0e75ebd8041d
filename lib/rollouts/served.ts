/** What an environment serves to a unit, such as a user. */

import type { EnvironmentItem, ServedDeployment } from '../avatars/deployments/store/environments.ts';
import { text } from '../schema/text.ts';
import { type Assignment, assign } from './assign.ts';

const maxUnit = 255;

export const unit = text(maxUnit)
  .min(1, 'must not be empty')
  .meta({
    description:
      'Who uses the service, usually your id of the user: while a rollout runs, its variant is that of this unit. It is neither stored ' +
      'nor logged.',
    example: 'user-1042',
  });

type Served = { served: ServedDeployment | null; assignment?: Assignment };

/**
 * @param unit undefined for what the environment serves without a rollout
 * @returns the current deployment, or the candidate if the unit has it. With the assignment, if there is a rollout and a unit
 */
export function servedTo(
  { serves, rollout }: Pick<EnvironmentItem, 'serves' | 'rollout'>,
  unit: string | undefined,
): Served {
  if (!rollout || unit === undefined) return { served: serves };
  const assignment = assign(rollout, unit);
  return { served: assignment.variant === 'candidate' ? rollout.candidate : serves, assignment };
}
