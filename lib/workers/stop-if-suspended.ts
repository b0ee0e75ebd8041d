/** How work that has to wait for the end of a suspension stops. lib/workers/schedule/waiting-worker.ts lets it continue. */

import type { Suspendable } from '../organisations/suspensions.ts';

/** The organisation is suspended, or being deleted. Code that throws this error has changed nothing. */
export class Suspended extends Error {
  constructor() {
    super('the organisation is suspended');
  }
}

/** Whether an organisation exists and is not suspended. */
export const isActive = (organisation: Suspendable | undefined): organisation is Suspendable =>
  organisation !== undefined && organisation.suspendedAt === undefined;

/**
 * @param input reads the organisation, with strong consistency
 * @returns the organisation, which is active
 * @throws Suspended
 */
export async function stopIfSuspended({
  readOrganisation,
}: {
  readOrganisation(): Promise<Suspendable | undefined>;
}): Promise<Suspendable> {
  const organisation = await readOrganisation();
  if (!isActive(organisation)) throw new Suspended();
  return organisation;
}
