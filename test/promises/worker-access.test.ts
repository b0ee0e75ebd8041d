/** Every worker uses every table action that it declares, and no other: a session throws for undeclared ones. */

import { beforeAll, expect, test } from 'vitest';
import { mergeAccess } from '../../lib/dynamodb/tables.ts';
import { workers } from '../../workers/index.ts';
import { tellStory } from '../support/story.ts';

let used: Awaited<ReturnType<typeof tellStory>>;

beforeAll(async () => {
  used = await tellStory();
});

test.each(workers.map((worker) => [worker.id, worker] as const))(
  '%s uses every table action that it declares',
  { tags: ['long'] },
  (id, { access }) => {
    expect(mergeAccess(...(used.get(id) ?? []))).toEqual(mergeAccess(access));
  },
);
