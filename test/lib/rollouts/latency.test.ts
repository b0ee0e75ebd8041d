/** How soon the dev server ends a rollout that harms, from the response to the score that says so. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { percentile } from '../../../bench/statistics.ts';
import { startDevServer } from '../../support/dev-server.ts';
import { openHarmfulRollouts } from '../../support/harmful-rollouts.ts';

const rollouts = 8;
const latestMs = 10_000;
const givenUpMs = 60_000;
const pauseMs = 20;

test('a guard ends a rollout within 10 seconds of a score', { tags: ['nightly'] }, async () => {
  const { api, stop } = await startDevServer();
  onTestFinished(stop);
  const { prepare } = await openHarmfulRollouts(api);
  const took: number[] = [];
  for (let number = 0; number < rollouts; number += 1) {
    const { breach, status } = await prepare(`stage-${number}`);
    expect(await status()).toBe('running');
    await breach();
    const respondedMs = performance.now();
    const elapsedMs = () => performance.now() - respondedMs;
    while ((await status()) === 'running' && elapsedMs() < givenUpMs) await sleep(pauseMs);
    took.push(elapsedMs());
    expect(await status()).toBe('rolled_back');
  }
  console.log(`a guard ends a rollout after ${took.map((ms) => Math.round(ms)).join(', ')} ms`);
  expect(percentile(took, 0.95)).toBeLessThanOrEqual(latestMs);
});
