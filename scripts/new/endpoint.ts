/** The changes of `npm run new -- endpoint`. */

import { type Change, insertLines, type Read, samplesEnd, samplesFile } from './change.ts';
import { type Asked, type Known, planEndpoint } from './plan.ts';
import { newFiles, sample } from './templates.ts';

/** @throws UsageError with one sentence that says what is wrong */
export function newEndpoint(asked: Asked, known: Known, read: Read): Change {
  const plan = planEndpoint(asked, known);
  const created = newFiles(plan);
  return {
    created,
    changed: insertLines(read, { [samplesFile]: [samplesEnd, sample(plan)] }),
    next: [
      `Change ${Object.keys(created)[0]} and its test to what the endpoint does.`,
      `Change its sample at the end of ${samplesFile}: a request that succeeds.`,
      `Declare its table actions in access, and run npx vitest run test/promises/access.test.ts -t ${plan.id}: npm run check leaves it out.`,
      ...(plan.list ? ['Add its largest items to test/promises/response-size.test.ts.'] : []),
    ],
  };
}
