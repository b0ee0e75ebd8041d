/** A deployment as a name on one line, such as for an option of a select. */

import type { Deployment } from '../../../clients/typescript/src/index.ts';

export const shortRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '');

export function labelOf({ id, git, reason }: Pick<Deployment, 'id' | 'git' | 'reason'>): string {
  if (git) return `${git.sha.slice(0, 7)} ${shortRef(git.ref)}`.slice(0, 60);
  return reason ? reason.slice(0, 60) : `…${id.slice(-6)}`;
}
