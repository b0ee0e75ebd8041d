/** The purge of a project under SIGKILL: the worker's process is killed fifty times at random moments. */

import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { fence } from '../../../lib/runtime/fence.ts';
import type { Notice } from '../../../lib/workers/notice.ts';
import { openApi } from '../../../samples/api.ts';
import { noticesOf } from '../../../samples/lambda-queue.ts';
import projectPurger from '../../../workers/project-purger.ts';
import { chanceOf, killable } from '../../support/killable.ts';
import { expire, fill, namingProject, purgeBegun, storedPurge } from '../../support/purges.ts';
import { remember } from '../../support/rewind.ts';
import { deliver } from '../../support/workers.ts';

const kills = 50;
const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 32));
const chance = chanceOf(seed);
const run = killable(projectPurger);

test(`killed ${kills} times, a purge ends and leaves nothing`, { tags: ['nightly'] }, async () => {
  console.log(`KILL_SEED=${seed}`);
  const api = await openApi();
  const kept = await fill(api, { documents: 3, conversations: 3 });
  const before = await namingProject(api, kept);
  const project = await fill(api, { documents: 20, conversations: 40 });
  await api.call('DELETE', `/projects/${project}`);
  await deliver(api, projectPurger, [await expire(api, project)]);
  const begun = noticesOf(projectPurger, [await purgeBegun(api, project)]);
  // The first run waits until no other worker writes any more. Killed there, the next ones only remove.
  expect((await run(begun, fence.waitMs / 2)).end).toBe('SIGKILL');
  const rewind = await remember(api);
  let wholeMs = 0;
  let killed = 1;
  for (let round = 0; killed < kills; round += 1) {
    await rewind();
    for (let notices: readonly Notice[] = begun; ; ) {
      // The first purge shows how long a whole one takes.
      const isSpared = round === 0 || killed === kills;
      const { end, tookMs, left } = await run(notices, isSpared ? undefined : chance() * wholeMs * 0.6);
      if (round === 0) wholeMs += tookMs;
      if (end === 'done') break;
      notices = left;
      if (end === 'again') continue;
      expect(end).toBe('SIGKILL');
      killed += 1;
    }
    expect(await storedPurge(api, project)).toMatchObject({ status: 'succeeded', failures: 0 });
    const left = await namingProject(api, project);
    expect(Object.keys(left), JSON.stringify(left).slice(0, 600)).toEqual(['projects']);
  }
  expect(killed).toBe(kills);
  expect(await namingProject(api, kept)).toEqual(before);
});
