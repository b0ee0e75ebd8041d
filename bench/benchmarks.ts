/** All benchmarks, in the order of docs/performance.md, then those of other documents. Each is loaded only when it runs. */

import type { Findings } from './findings.ts';
import type { Bench } from './service.ts';

export const benchmarks: Readonly<Record<string, () => Promise<Findings>>> = {
  'cold-path': async () => withService((await import('./cold-path.ts')).coldPath),
  pipeline: async () => withService((await import('./pipeline.ts')).pipeline),
  races: async () => withService((await import('./races.ts')).races),
  growth: async () => withService((await import('./growth.ts')).growth),
  knowledge: async () => withService((await import('./knowledge.ts')).knowledge),
  files: async () => (await import('./files.ts')).files(),
  ranking: async () => (await import('./ranking/report.ts')).ranking(),
  bulk: async () => withService((await import('./bulk.ts')).bulk),
  neighbours: async () => (await import('./neighbours.ts')).neighboursOf(),
  webhooks: async () => withService((await import('./webhooks.ts')).webhooks),
  turns: async () => (await import('./turns.ts')).turns(),
  replies: async () => (await import('./replies.ts')).replies(),
  console: async () => (await import('./console.ts')).consolePages(),
  cli: async () => (await import('./cli.ts')).cli(),
  install: async () => (await import('./install.ts')).install(),
  tests: async () => (await import('./tests.ts')).tests(),
  rollouts: async () => (await import('./rollouts.ts')).rollouts(),
};

export const names = Object.keys(benchmarks);

/** @returns the document that has the table, relative to the root */
export const documentOf = (name: string): string =>
  name === 'rollouts' ? 'docs/quality.md' : 'docs/performance.md';

/** Has the same figures on every machine, however busy it is. */
export const isSimulated = (name: string): boolean => name === 'rollouts';

async function withService(measure: (bench: Bench) => Promise<Findings>): Promise<Findings> {
  const { openBench } = await import('./service.ts');
  const bench = await openBench();
  try {
    return await measure(bench);
  } finally {
    await bench.stop();
  }
}
