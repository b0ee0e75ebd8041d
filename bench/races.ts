/** Fifty simultaneous duplicates, and forty writers of one conversation. */

import type { Findings } from './budgets.ts';
import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';
import { manyWriters } from './writers.ts';

const rounds = 10;

export async function races(bench: Bench): Promise<Findings> {
  const all: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    progress(`races: round ${round + 1} of ${rounds}`);
    const options = { body: { name: 'race' }, idempotencyKey: `race-${round}` };
    const begun = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => bench.send('POST', '/projects', options)),
    );
    all.push(performance.now() - begun);
    const distinct = new Set(answers.map(({ status, text }) => `${status} ${text}`));
    if (distinct.size !== 1 || answers[0]?.status !== 201) throw new Error('the duplicates differ');
  }
  const duplicates = table(
    ['fifty duplicates', 'answers', 'resources', 'until all are answered'],
    [['one Idempotency-Key', '50 × 201, identical', 1, ms(median(all.slice(1)))]],
  );
  const others = await manyWriters(bench);
  return { ...others, text: `${duplicates}\n\n${others.text}` };
}
