/** What a deployment does not include although it is stored. */

import type { DeploymentWarning } from './schema.ts';

/** How many documents the index lacks; at least so many where not all were counted (`isComplete`). */
type Unindexed = { pending: number; failed: number; isComplete: boolean };

/** @returns a warning for each kind of documents of which there is one; none in the best case */
export function warningsOf({ pending, failed, isComplete }: Unindexed): DeploymentWarning[] {
  const about = (count: number) =>
    `${isComplete ? '' : 'At least '}${count} ${count === 1 ? 'document is' : 'documents are'}`;
  const warnings: DeploymentWarning[] = [
    {
      code: 'documents_pending',
      message: `${about(pending)} pending: the index does not include the latest changes. Re-index before you deploy.`,
      count: pending,
    },
    {
      code: 'documents_failed',
      message: `${about(failed)} failed: the index does not include their text. Their \`error\` has the reason.`,
      count: failed,
    },
  ];
  return warnings.filter(({ count }) => count > 0);
}
