/** The time while an organisation was suspended does not count towards a deadline, an age or a pause. Pure. */

export type Suspension = { from: string; until: string };

export type Suspendable = {
  /** This time exists while the organisation is suspended. */
  suspendedAt?: string;
  /** The suspensions that have ended, the oldest first. */
  suspensions?: readonly Suspension[];
};

/** The item of the organisation stays small. Work from before the oldest suspension counts some time too much. */
const maxSuspensions = 20;

/** @returns the ended suspensions of a suspended organisation, when it is resumed */
export const afterResumption = (
  { suspendedAt, suspensions = [] }: Suspendable,
  now: string,
): readonly Suspension[] =>
  suspendedAt === undefined
    ? suspensions
    : [...suspensions, { from: suspendedAt, until: now }].slice(-maxSuspensions);

/** @returns the organisation as if it were resumed now */
export const asIfResumed = (organisation: Suspendable, now: string): Suspendable => ({
  suspensions: afterResumption(organisation, now),
});

/** @returns the suspensions in epoch milliseconds. A suspension that has not ended has no end */
function intervalsOf({ suspendedAt, suspensions = [] }: Suspendable): { fromMs: number; untilMs: number }[] {
  const endedIntervals = suspensions.map(({ from, until }) => ({
    fromMs: Date.parse(from),
    untilMs: Date.parse(until),
  }));
  if (suspendedAt === undefined) return endedIntervals;
  return [...endedIntervals, { fromMs: Date.parse(suspendedAt), untilMs: Number.POSITIVE_INFINITY }];
}

/** @returns how long the organisation was active between two times */
export function activeMs(organisation: Suspendable, fromMs: number, toMs: number): number {
  const suspendedMs = intervalsOf(organisation).reduce(
    (sum, { fromMs: start, untilMs: end }) =>
      sum + Math.max(0, Math.min(end, toMs) - Math.max(start, fromMs)),
    0,
  );
  return toMs - fromMs - suspendedMs;
}

/**
 * @param lengthMs the time for which the organisation must be active
 * @returns the end of this time; infinity if it depends on the end of a suspension
 */
export function activeTimeEndMs(organisation: Suspendable, fromMs: number, lengthMs: number): number {
  let atMs = fromMs;
  let leftMs = lengthMs;
  for (const { fromMs: start, untilMs: end } of intervalsOf(organisation)) {
    if (end <= atMs) continue;
    const beforeMs = Math.max(0, start - atMs);
    if (leftMs <= beforeMs) break;
    leftMs -= beforeMs;
    atMs = end;
  }
  return atMs + leftMs;
}
