/**
 * The CPU time of the pipeline itself: complete requests in process, with a DynamoDB that responds at once. In pairs with Middy
 * and zod alone, and with the idempotency of Powertools, so that the ratio holds on any machine.
 */

import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { createRenderer, type LogLine } from '../lib/base/log.ts';
import { requestEvent } from '../scripts/local/call.ts';
import { routesOf } from '../scripts/local/service.ts';
import { budgets, type Findings } from './budgets.ts';
import { naiveHandlers } from './naive/pipeline.ts';
import type { Bench } from './service.ts';
import { progress, table } from './statistics.ts';

/** Builds the log line without writing it. */
const render = createRenderer('bench', '0123456789ab');
const log = (line: LogLine) => void render(line, 0);

/** Every function of AWS Lambda has this clock. Middy sets a timer with it, and Powertools stores it. */
const context = { getRemainingTimeInMillis: () => 30_000 } as Context;

const rounds = 12;
const warmUps = 3;
/** A kernel may count CPU time in steps of 4 ms, so a round is much longer. */
const requestsPerRound = 16_000;

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

export async function pipeline(bench: Bench): Promise<Findings> {
  const { data } = await bench.send('POST', '/projects', { body: { name: 'pipeline' } });
  const body = { name: 'p', metadata: { a: '1' } };
  const requests = [
    ['GET /projects/{project_id}', 'get', 'GET', `/projects/${data.id}`, {}],
    ['POST /projects', 'create', 'POST', '/projects', { body }],
    ['POST /projects, with key', 'create', 'POST', '/projects', { body, idempotencyKey: 'a' }],
    ['POST /projects, with key', 'createOnce', 'POST', '/projects', { body, idempotencyKey: 'b' }],
  ] as const;
  const comparisons = {
    get: 'Middy and zod',
    create: 'Middy and zod',
    createOnce: 'Middy, zod and Powertools',
  };
  const { apiKeys = '', projects = '' } = bench.runtime.tableNames;

  const rows = [];
  const budgeted: { budget: 'pipelineRatio' | 'idempotencyRatio'; what: string; value: number }[] = [];
  for (const [name, baseline, method, path, options] of requests) {
    const compared = comparisons[baseline];
    progress(`pipeline: ${name}, ${compared}`);
    const stub = await recorded(bench, method, path, options);
    const routes = routesOf({ ...bench.runtime, client: stub as never, log });
    const { route, event } = requestEvent(routes, method, path, { key: bench.key, ...options });
    const naive = naiveHandlers(stub as never, { apiKeys, projects })[baseline];
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await microsPerRequest(name, route.handler, event));
      theirs.push(await microsPerRequest(`${name}, baseline`, naive, event));
    }
    // Interruptions only make a round longer, so the fastest one shows the code's own time.
    const [our, their] = [fastest(ours), fastest(theirs)];
    const value = our / their;
    rows.push([name, `${our.toFixed(1)} µs`, compared, `${their.toFixed(1)} µs`, value.toFixed(2)]);
    const what = `${name}, relative to ${compared}`;
    if (baseline === 'createOnce') budgeted.push({ budget: 'idempotencyRatio', what, value });
    else budgeted.push({ budget: 'pipelineRatio', what, value });
  }
  const text = [
    table(['request', 'ours', 'compared with', 'theirs', 'ratio'], rows),
    '',
    `Budgets: at most ${budgets.pipelineRatio} times Middy and zod, and at most ${budgets.idempotencyRatio} times Middy, zod ` +
      `and Powertools. The fastest of ${rounds - warmUps} rounds of ${requestsPerRound} requests, after ${warmUps} warm-up ` +
      'rounds.',
  ].join('\n');
  return { text, budgeted };
}

const fastest = (micros: readonly number[]) => Math.min(...micros.slice(warmUps));

async function microsPerRequest(
  name: string,
  handler: Handler,
  event: APIGatewayProxyEvent,
): Promise<number> {
  const text = event.body;
  const begun = process.threadCpuUsage();
  for (let index = 0; index < requestsPerRound; index += 1) {
    // Handling a request replaces the body by the parsed one.
    event.body = text;
    const { statusCode } = await handler(event, context);
    if (statusCode >= 300) throw new Error(`${name} answered ${statusCode}`);
  }
  event.body = text;
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / requestsPerRound;
}

/** @returns a client that immediately returns what DynamoDB Local returned for this request */
async function recorded(bench: Bench, method: string, path: string, options: object) {
  const responses = new Map<string, unknown>();
  const nameOf = (command: { constructor: { name: string }; input: unknown }) => {
    const { TableName = '' } = command.input as { TableName?: string };
    return `${command.constructor.name} ${TableName}`;
  };
  const recorder = {
    async send(command: never) {
      const response = await bench.runtime.client.send(command);
      responses.set(nameOf(command), response);
      return response;
    },
  };
  const routes = routesOf({ ...bench.runtime, client: recorder as never });
  const { route, event } = requestEvent(routes, method, path, { key: bench.key, ...options });
  await route.handler(event, context);
  return {
    async send(command: never) {
      return responses.get(nameOf(command)) ?? {};
    },
  };
}
