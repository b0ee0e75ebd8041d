/** A fresh process that does a job, as the worker's function does. Prints what it took as JSON. */

import { createBaseRuntime } from '../lib/runtime/base-runtime.ts';
import { meter } from '../measures/meter.ts';
import { deliverNotices, endsTurn } from '../samples/lambda-queue.ts';
import { folderFiles } from '../scripts/local/files.ts';
import exporter from '../workers/exporter.ts';
import importer from '../workers/importer.ts';

const [, , given = ''] = process.argv;
const { folder, worker, notice } = JSON.parse(given);

const files = folderFiles({ folder, origin: '', secret: '', nowMs: Date.now });
// DynamoDB Local may be slow on a busy machine.
const patient = { requestHandler: { connectionTimeout: 60_000, requestTimeout: 60_000 } };
const runtime = createBaseRuntime(process.env, patient, files);
const metered = meter(runtime.client);
const loadedBytes = process.memoryUsage.rss();
const begun = performance.now();
const timed = { ...runtime, client: metered.client, log: () => {} };
const declared = worker === 'importer' ? importer : exporter;
while (await endsTurn(deliverNotices(timed, declared, [notice])));
const seconds = (performance.now() - begun) / 1000;
const { readUnits, writeUnits } = metered.usage();
const grownBytes = process.resourceUsage().maxRSS * 1024 - loadedBytes;
console.log(JSON.stringify({ seconds, grownBytes, readUnits, writeUnits }));
