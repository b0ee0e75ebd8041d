/**
 * Where an environment's pointer was: the deployments that it served, the current one last. A promotion goes on from
 * the current one, a rollback goes back: so rolling back twice goes back two steps, and never forward again.
 */

export type ReleaseHistory = readonly string[];

/** The ones before are no default for a rollback any more; it can still name them. */
const kept = 100;

/** @returns the id of the deployment that is served; null before the first */
export const currentOf = (history: ReleaseHistory): string | null => history.at(-1) ?? null;

/** @returns what a rollback goes back to when nothing else is said; null where there is nothing */
export const previousOf = (history: ReleaseHistory): string | null => history.at(-2) ?? null;

/** A deployment that was current before stands at its new place alone: going back does not meet it twice. */
export const promoteTo = (history: ReleaseHistory, id: string): ReleaseHistory =>
  [...history.filter((other) => other !== id), id].slice(-kept);

/**
 * @param id of a deployment that was current. Where the history does not have it any more (it was rolled back itself, or
 *   is too long ago), what was deployed before it is what is before it.
 */
export function rollBackTo(history: ReleaseHistory, id: string): ReleaseHistory {
  const index = history.indexOf(id);
  return index === -1 ? [...history.filter((other) => other < id), id] : history.slice(0, index + 1);
}
