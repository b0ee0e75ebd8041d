/** Warnings for stored documents that a deployment does not include. */

import type { DeploymentWarning } from './schema.ts';

/** The number of documents that the index lacks; a minimum unless `isComplete`. */
type Unindexed = { pending: number; failed: number; isComplete: boolean };

/** @returns a warning for each affected kind of documents */
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
