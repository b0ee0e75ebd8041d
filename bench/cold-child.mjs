// A fresh process: imports a bundle, sends it one event, and prints the milliseconds from before the one to after the
// other, and those of the processor. Plain JavaScript, because stripping types would be measured as well.

import { writeSync } from 'node:fs';

const [, , bundle, event] = process.argv;

// The runtime of Lambda replaces the console's methods before it loads a function (LogPatch.js of
// aws-lambda-nodejs-runtime-interface-client): a line goes straight to a file descriptor, without a stream.
console.log = (line) => writeSync(1, `${line}\n`);

const processor = process.cpuUsage();
const start = performance.now();
const { handler } = await import(bundle);
const { statusCode } = await handler(JSON.parse(event), { awsRequestId: 'cold' });
const answered = performance.now();
const { user, system } = process.cpuUsage(processor);
writeSync(
  1,
  JSON.stringify({
    statusCode,
    totalMs: answered - start,
    processorMs: (user + system) / 1000,
  }),
);
process.exit(0);
