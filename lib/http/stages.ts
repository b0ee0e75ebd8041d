/** The stage of a call, and what a call has in it. */

import type { Call, CallContext, Params, Sender } from './call.ts';

type At<Stage extends Call['stage']> = Extract<Call, { stage: Stage }>;

/**
 * @returns the call
 * @throws Error if it is in another stage, because a step before has not run
 */
export function callAt<Stage extends Call['stage']>(call: Call, stage: Stage): At<Stage> {
  if (call.stage !== stage) throw new Error(`the call is ${call.stage}, not ${stage}`);
  return call as At<Stage>;
}

/** @returns the call; undefined if `begin` failed before it opened one */
export const callIn = (context: Partial<Pick<CallContext, 'call'>>): Call | undefined => context.call;

/** @returns who sent the request; undefined until its credential is verified */
export const senderOf = (call: Call): Sender | undefined => ('sender' in call ? call.sender : undefined);

/** @returns the project in a valid path */
export const projectIdIn = (params: Params | undefined): string | undefined =>
  typeof params?.project_id === 'string' ? params.project_id : undefined;

/** Adds background work to the call. Nobody awaits the work yet, so its failure must not count as unhandled. */
export function inBackground({ background }: Pick<Call, 'background'>, work: Promise<unknown>): void {
  work.catch(() => {});
  background.push(work);
}
