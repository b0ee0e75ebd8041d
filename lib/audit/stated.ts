/**
 * Events that only the request knows: the state of the resource does not show them. The endpoint that causes one declares it,
 * and what the request changes has it as its stamp `changedAs`.
 */

export const statedEvents = ['project.restored', 'deployment.rolled_back'] as const;

type StatedEvent = (typeof statedEvents)[number];

/** @returns the one of these events that the request states, if any */
export const statedOf = (causes: readonly string[]): StatedEvent | undefined =>
  statedEvents.find((type) => causes.includes(type));

/** The ids of the endpoints that caused these events before there was the stamp. What they changed has only their id. */
const endpointsBefore: Readonly<Record<string, StatedEvent>> = {
  'projects.restore': 'project.restored',
  'deployments.rollback': 'deployment.rolled_back',
};

/** @returns whether the last change of the item was this event, as the request has stated it */
export const wasChangedAs = (
  { changedAs, changedThrough }: Readonly<Record<string, unknown>>,
  event: StatedEvent,
): boolean => (changedAs ?? endpointsBefore[`${changedThrough}`]) === event;
