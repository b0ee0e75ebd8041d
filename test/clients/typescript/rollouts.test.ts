/** The client assigns units as the service does. */

import { expect, test } from 'vitest';
import { assign } from '../../../clients/typescript/src/runtime/rollout.ts';
import vectors from '../../support/rollout-assignments.json' with { type: 'json' };

test.for(vectors)(
  '$unit at $percent percent',
  async ({ rolloutId, span, percent, unit, variant, assignment }) => {
    expect(await assign({ id: rolloutId, span, percent }, unit)).toEqual({ variant, assignment });
  },
);
