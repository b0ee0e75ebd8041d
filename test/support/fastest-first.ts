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

/**
 * First the files that need no database and no bundles, and start no process, then Vitest's order: what has failed the last time, then the
 * longest, so that no process works alone at the end.
 */
export class FastestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { fast = [], others = [] } = Object.groupBy(files, (file) => (isFast(file) ? 'fast' : 'others'));
    return [...(await super.sort(fast)), ...(await super.sort(others))];
  }
}
