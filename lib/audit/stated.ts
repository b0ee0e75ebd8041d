/**
 * Some events are known only from the request, because the state of the resource does not show them. The endpoint that causes
 * such an event declares it, and the items that the request changes have the event as their stamp `changedAs`.
 */

export const statedEvents = ['project.restored', 'deployment.rolled_back'] as const;

type StatedEvent = (typeof statedEvents)[number];

/** @returns the event that the request states, if it states one */
export const statedOf = (causes: readonly string[]): StatedEvent | undefined =>
  statedEvents.find((type) => causes.includes(type));

/** @returns whether the last change of the item was this event, as the request has stated it */
export const wasChangedAs = ({ changedAs }: Readonly<Record<string, unknown>>, event: StatedEvent): boolean =>
  changedAs === event;
