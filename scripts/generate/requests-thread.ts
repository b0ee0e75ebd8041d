/**
 * The thread of `npm run generate` that sends the sample requests to the real handlers, with DynamoDB Local. It returns what follows
 * from the responses: the examples of the OpenAPI document, everything that is made from it, and the costs of each endpoint in
 * docs/storage.md.
 */

import { parentPort } from 'node:worker_threads';
import { loadEncoder } from '../../lib/search/semantic/encoder.ts';
import { measureReplyUnits, replyUnitTable } from '../../measures/reply-units.ts';
import { measureUnits, unitTable } from '../../measures/units.ts';
import { testRuntime } from '../../samples/api.ts';
import { record } from '../../samples/examples.ts';
import { openTables } from '../../samples/tables.ts';
import { startDynamoDb } from '../local/dynamodb.ts';
import { documented } from '../openapi/documented.ts';
import type { Example } from '../openapi/examples.ts';
import { writtenFiles } from '../openapi/outputs.ts';
import { fetchPackage } from '../shared/fetched-packages.ts';
import { type Files, withTables } from '../shared/markdown.ts';

async function recordExamples(): Promise<Record<string, Example>> {
  const runtime = testRuntime();
  const examples: Record<string, Example> = {};
  const inOrder = documented.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  for (const endpoint of inOrder) examples[endpoint.id] = await record(endpoint, runtime);
  return examples;
}

async function filesOf(endpoint: string): Promise<Files> {
  await openTables(endpoint);
  const examples = await recordExamples();
  // The units of a request depend on what the tables have.
  await openTables(endpoint);
  const units = unitTable(await measureUnits());
  const tables = { units, 'reply-units': replyUnitTable(await measureReplyUnits()) };
  return { ...writtenFiles(examples), ...withTables('docs/storage.md', tables) };
}

// The examples of searches are by meaning.
await fetchPackage('onnxruntime-node');
await loadEncoder();
const { endpoint, stop } = await startDynamoDb({ sharedDb: false });
try {
  parentPort?.postMessage(await filesOf(endpoint));
} finally {
  await stop();
}
