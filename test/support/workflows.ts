/** Workflows of GitHub Actions. */

import { expect } from 'vitest';

export type Step = { uses?: string; run?: string; with?: Record<string, unknown> };

/** Expects that each action is pinned to a commit, with its version beside it. */
export function expectPinnedActions(yaml: string, steps: readonly Step[]): void {
  const uses = [...yaml.matchAll(/uses: (.*)/g)].map(([, action]) => action);
  expect(uses).toHaveLength(steps.filter((step) => step.uses).length);
  expect(uses.length).toBeGreaterThan(0);
  for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
}
