/** The types of events, and the patterns that match several of them. */

export const eventTypes = {
  'project.created': 'A project was created.',
  'project.updated': 'A project was changed or archived.',
  'project.deleted': 'A project was deleted. It can be restored for some days.',
  'project.restored': 'A deleted project was restored.',
  'project.purged': 'All data of a deleted project is removed, and its earlier events.',
  'api_key.created': 'An API key was created.',
  'api_key.updated': 'An API key was changed.',
  'api_key.rotated': 'An API key has a new secret.',
  'api_key.expiring': 'An API key expires soon: in 7 days, or in a tenth of its lifetime if that is less.',
  'api_key.expired': 'An API key has expired.',
  'api_key.revoked': 'An API key was revoked.',
  'workload_identity.created': 'A workload identity was created.',
  'workload_identity.updated': 'A workload identity was changed, suspended or made active again.',
  'workload_identity.deleted': 'A workload identity was deleted.',
  'avatar.created': 'An avatar was created.',
  'avatar.updated': 'An avatar has a new version.',
  'avatar.deleted': 'An avatar was deleted.',
  'document.created': 'A knowledge document was created.',
  'document.updated': 'A knowledge document was changed.',
  'document.deleted': 'A knowledge document was deleted.',
  'source.created': 'A source of documents was created.',
  'source.updated': 'A source was changed or paused, or a refresh of it has begun.',
  'source.refreshed': 'A refresh of a source has succeeded. `lastRefresh` has its counts.',
  'source.failed': 'A refresh of a source has failed or was cancelled. `lastRefresh` says why.',
  'source.deleted': 'A source was deleted.',
  'job.created': 'A job was requested.',
  'job.started': 'A job has started.',
  'job.succeeded': 'A job has succeeded.',
  'job.failed': 'A job has failed, or was not done by its deadline.',
  'job.cancelled': 'A job was cancelled.',
  'deployment.created': 'A deployment was created.',
  'deployment.promoted': 'A deployment was promoted: its environment serves it.',
  'deployment.rolled_back': 'An environment was rolled back to a deployment: it serves it again.',
  'deployment.updated':
    'A deployment was superseded, or serves another index because a document was expunged.',
  'environment.created': 'An environment got its first deployment.',
  'environment.updated': 'An environment serves another deployment, or was pinned or unpinned.',
  'environment.deleted': 'An environment was deleted: it serves nothing any more.',
  'rollout.started': 'A rollout has started: a part of the units gets its candidate.',
  'rollout.advanced': 'The percent of a rollout has risen.',
  'rollout.waiting': 'A rollout waits for `advance`, or for the scores of its guards.',
  'rollout.paused': 'A rollout was paused: by a request, by a guard, or because its credential was revoked.',
  'rollout.resumed': 'A paused rollout goes on.',
  'rollout.completed': 'A rollout has completed: its candidate was promoted.',
  'rollout.aborted': 'A rollout was aborted: its environment serves the current deployment to everybody.',
  'rollout.rolled_back':
    'A guard has ended a rollout: the current deployment is served to everybody, and the environment is pinned. `breach` says why.',
  'conversation.started': 'A conversation has started.',
  'conversation.updated': 'A conversation has new messages, or was changed.',
  'conversation.ended': 'A conversation was ended, or has timed out.',
  'conversation.scored':
    'A conversation has a new score, or another value of one. `scores` has the effective ones.',
  'conversation.deleted': 'A conversation was deleted: nobody can read it any more.',
  'conversation.erased': 'Nothing of a deleted conversation is stored any more.',
  'evaluator.created': 'An evaluator was created.',
  'evaluator.updated': 'An evaluator has a new version.',
  'webhook.created': 'A webhook was created.',
  'webhook.updated': 'A webhook was changed or enabled, or its recovery was requested or has finished.',
  'webhook.rotated': 'A webhook has a new secret.',
  'webhook.disabled':
    'A webhook was disabled: by a request, because its receiver has answered 410, or after five days of failures.',
  'webhook.deleted': 'A webhook was deleted.',
} as const;

export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as [EventType, ...EventType[]];

/** `project` of `project.created`: the kind of resource that the event is about. */
export type EventFamily = EventType extends `${infer Family}.${string}` ? Family : never;

export function familyOf(type: EventType): EventFamily;
export function familyOf(type: string): string;
export function familyOf(type: string): string {
  return type.slice(0, type.indexOf('.'));
}

/** The patterns that match several types, such as `*` and `project.*`. */
export const eventWildcards: readonly string[] = [
  '*',
  ...new Set(eventTypeNames.map((type) => `${familyOf(type)}.*`)),
];

/** @returns whether one of the patterns includes the type */
export const includesType = (patterns: readonly string[], type: string): boolean =>
  patterns.some((pattern) => pattern === '*' || pattern === type || pattern === `${familyOf(type)}.*`);

/**
 * @param pattern a type, `project.*` or `*`
 * @returns the types that it matches; an empty list for an unknown pattern
 */
export const typesMatching = (pattern: string): readonly EventType[] =>
  eventTypeNames.filter((type) => includesType([pattern], type));
