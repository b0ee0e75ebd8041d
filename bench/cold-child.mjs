// A fresh process: imports a bundle, sends it one event, and prints the milliseconds from before the one to after the
// other, and the most memory that it has held. Plain JavaScript, because stripping types would be measured as well.

const [, , bundle, event] = process.argv;

const start = performance.now();
const { handler } = await import(bundle);
const imported = performance.now();
const { statusCode } = await handler(JSON.parse(event), { awsRequestId: 'cold' });
const answered = performance.now();
const { maxRSS } = process.resourceUsage();
process.stdout.write(
  JSON.stringify({
    statusCode,
    importMs: imported - start,
    totalMs: answered - start,
    peakBytes: maxRSS * 1024,
  }),
);
process.exit(0);
