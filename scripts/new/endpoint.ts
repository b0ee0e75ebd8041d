/** The changes of `npm run new -- endpoint`. */

import { behindSamplesOf, type Change, insertLines, type Read, samplesFile } from './change.ts';
import { type Asked, type Known, planEndpoint } from './plan.ts';
import { newFiles, sample } from './templates.ts';

/** @throws UsageError with one sentence that says what is wrong */
export function newEndpoint(asked: Asked, known: Known, read: Read): Change {
  const plan = planEndpoint(asked, known);
  const created = newFiles(plan);
  const anchor = behindSamplesOf(plan.id.split('.')[0] ?? '', read(samplesFile));
  return {
    created,
    changed: insertLines(read, { [samplesFile]: [anchor, sample(plan)] }),
    next: [
      `Change ${Object.keys(created)[0]} and its test to what the endpoint does.`,
      `Change its sample in ${samplesFile} if it does not succeed.`,
      `Declare its table actions in access, and run npx vitest run test/promises/access.test.ts -t ${plan.id}: npm run check leaves it out.`,
      'Describe in CHANGELOG.md what callers notice.',
      ...(plan.list ? ['Add its largest items to test/promises/response-size.test.ts.'] : []),
    ],
  };
}
