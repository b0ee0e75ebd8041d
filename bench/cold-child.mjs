// A fresh process: imports a bundle, sends it one request, and prints the milliseconds from before the one to after the
// other. Plain JavaScript, because stripping types would be measured as well.

const [, , bundle, event] = process.argv;

const start = performance.now();
const { handler } = await import(bundle);
const imported = performance.now();
const { statusCode } = await handler(JSON.parse(event), { awsRequestId: 'cold' });
const answered = performance.now();
process.stdout.write(JSON.stringify({ statusCode, importMs: imported - start, totalMs: answered - start }));
process.exit(0);
