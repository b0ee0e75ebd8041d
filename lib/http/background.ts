import type { Call } from './call.ts';

/** Adds background work to the call. Nobody awaits the work yet, so its failure must not count as unhandled. */
export function inBackground({ background }: Pick<Call, 'background'>, work: Promise<unknown>): void {
  work.catch(() => {});
  background.push(work);
}
