// A fresh process that searches until the meaning counts, too. Prints the milliseconds from before the import to the first response,
// its mode, and those to the first response of a search by words and meaning.

import { writeSync } from 'node:fs';

const [, , bundle, event] = process.argv;

const start = performance.now();
const { handler } = await import(bundle);
const search = async () => {
  const { statusCode, body } = await handler(JSON.parse(event), { awsRequestId: 'cold' });
  if (statusCode !== 200) throw new Error(body);
  return { mode: JSON.parse(body).data.mode, atMs: performance.now() - start };
};
const first = await search();
let last = first;
while (last.mode !== 'hybrid' && last.atMs < 60_000) last = await search();
const peakBytes = process.resourceUsage().maxRSS * 1024;
writeSync(1, JSON.stringify({ firstMs: first.atMs, firstMode: first.mode, hybridMs: last.atMs, peakBytes }));
process.exit(0);
