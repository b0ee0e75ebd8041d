/**
 * A fresh process that does the jobs of the indexer, as its function does: a re-index, its steps one after the other, and its end.
 * Prints what it took as JSON. Vectors are random and take no time, because bench/knowledge.ts measures how long the model takes.
 */

import { hash } from 'node:crypto';
import { createBaseRuntime } from '../lib/runtime/base-runtime.ts';
import { useEncoder } from '../lib/search/semantic/encoder.ts';
import { dimensions, type Encoder, modelName, type Vector } from '../lib/search/semantic/vectors.ts';
import { meter } from '../measures/meter.ts';
import { jobNotice, stepNotices } from '../samples/api.ts';
import { deliverNotices, endsTurn } from '../samples/lambda-queue.ts';
import { randomOf } from '../scripts/shared/random.ts';
import knowledgeIndexer from '../workers/knowledge-indexer.ts';

const [, , given = ''] = process.argv;
const { tenant, projectId, jobId } = JSON.parse(given);

let encoded = 0;

function vectorOf(text: string): Vector {
  const random = randomOf(hash('md5', text, 'buffer').readUInt32BE());
  return Int8Array.from({ length: dimensions }, () => Math.round((random() - 0.5) * 254));
}

const encoder: Encoder = {
  model: modelName,
  dimensions,
  async encode(texts) {
    encoded += texts.length;
    return texts.map(vectorOf);
  },
};
useEncoder({ model: modelName, load: async () => encoder });

// DynamoDB Local may be slow on a busy machine.
const patient = { requestHandler: { connectionTimeout: 60_000, requestTimeout: 60_000 } };
const runtime = createBaseRuntime(process.env, patient);
const metered = meter(runtime.client);
const timed = { ...runtime, client: metered.client, log: () => {} };
async function deliver(notice: ReturnType<typeof jobNotice>): Promise<void> {
  while (await endsTurn(deliverNotices(timed, knowledgeIndexer, [notice])));
}

const begun = performance.now();
await deliver(jobNotice(tenant, projectId, jobId));
const steps = await stepNotices(tenant, projectId, runtime);
for (const step of steps) await deliver(step);
if (steps.length > 0) await deliver(jobNotice(tenant, projectId, jobId));
const durationMs = performance.now() - begun;
const { readUnits, writeUnits } = metered.usage();
const peakBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ durationMs, readUnits, writeUnits, peakBytes, encoded }));
