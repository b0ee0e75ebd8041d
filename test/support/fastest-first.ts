/** The order of the test files: a first failure shows soon. */

import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { needsDatabase, readsBundles } from './needs.ts';

const isFast = ({ moduleId }: TestSpecification): boolean => {
  const text = readFileSync(moduleId, 'utf8');
  return (
    !needsDatabase(text) &&
    !readsBundles(moduleId) &&
    !/node:child_process|stacksOf|aws-cdk-lib|fast-check/.test(text)
  );
};

/** Installs a package, or starts a server, and takes longer than the size of the file suggests. */
const startsSlowly = ({ moduleId }: TestSpecification): boolean =>
  /support\/(client\/installed|dev-server)/.test(readFileSync(moduleId, 'utf8'));

/**
 * First the files that need no database and no bundles, and start no process. Then those that start slowly. The rest is in Vitest's
 * order: what has failed the last time, then the longest, so that no process works alone at the end.
 */
export class FastestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const {
      fast = [],
      slow = [],
      others = [],
    } = Object.groupBy(files, (file) => (isFast(file) ? 'fast' : startsSlowly(file) ? 'slow' : 'others'));
    return [...(await super.sort(fast)), ...(await super.sort(slow)), ...(await super.sort(others))];
  }
}
