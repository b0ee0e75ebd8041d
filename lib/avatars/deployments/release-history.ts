/**
 * The history has the deployments that an environment has served, the current deployment last. A promotion appends to it. A
 * rollback goes back in the history, so two rollbacks go back two steps.
 */

export type ReleaseHistory = readonly string[];

/** Older deployments leave the history. A rollback can still name them. */
const maxLength = 100;

/** @returns the id of the current deployment; null before the first */
export const currentOf = (history: ReleaseHistory): string | null => history.at(-1) ?? null;

/** @returns the default target of a rollback; null if there is no such deployment */
export const previousOf = (history: ReleaseHistory): string | null => history.at(-2) ?? null;

/**
 * @returns the deployment that was served before; null if there is none. A deployment that is not in the history, such as a
 *   staged deployment, has the current deployment before it
 */
export function predecessorOf(history: ReleaseHistory, id: string): string | null {
  const index = history.indexOf(id);
  return index === -1 ? currentOf(history) : (history[index - 1] ?? null);
}

/** A deployment that becomes current again has only its new place in the history, so a rollback does not return to it twice. */
export const promoteTo = (history: ReleaseHistory, id: string): ReleaseHistory =>
  [...history.filter((other) => other !== id), id].slice(-maxLength);

/**
 * @param id the id of a deployment that was current. The history may no longer have it, because it was rolled back, or is too
 *   old. Then the deployments that were created before it become its predecessors
 */
export function rollBackTo(history: ReleaseHistory, id: string): ReleaseHistory {
  const index = history.indexOf(id);
  return index === -1 ? [...history.filter((other) => other < id), id] : history.slice(0, index + 1);
}
