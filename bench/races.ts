/** Fifty simultaneous duplicates, and forty writers of one conversation. */

import type { Findings } from './budgets.ts';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';
import { manyWriters } from './writers.ts';

const rounds = 10;
const requests = 50;

export async function races(bench: Bench): Promise<Findings> {
  const sentMs: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    progress(`races: round ${round + 1} of ${rounds}`);
    const options = { body: { name: 'race' }, idempotencyKey: `race-${round}` };
    const tookMs: number[] = [];
    const begunMs = performance.now();
    const send = async () => {
      const response = await bench.send('POST', '/projects', options);
      tookMs.push(performance.now() - begunMs);
      return response;
    };
    const responses = await Promise.all(Array.from({ length: requests }, send));
    sentMs.push(tookMs);
    const distinct = new Set(responses.map(({ status, text }) => `${status} ${text}`));
    if (distinct.size !== 1 || responses[0]?.status !== 201) throw new Error('the duplicates differ');
  }
  /** @returns the time of this many responses. The first round is a warm-up */
  const answered = (count: number) => ms(median(sentMs.slice(1).map((tookMs) => tookMs[count - 1] ?? 0)));
  const steps = [10, 20, 30, 40];
  const duplicates = table(
    ['fifty duplicates', 'responses', 'resources', 'first', ...steps.map((count) => `${count}th`), 'last'],
    [['one Idempotency-Key', `${requests} × 201, identical`, 1, ...[1, ...steps, requests].map(answered)]],
  );
  const others = await manyWriters(bench);
  const note =
    `The times at which responses were sent. All requests start at once; medians of ${rounds - 1} rounds, in process, ` +
    'on DynamoDB Local.';
  return { ...others, text: [duplicates, note, others.text].join('\n\n') };
}
