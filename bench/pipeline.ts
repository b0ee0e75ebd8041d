/**
 * The CPU time of the pipeline itself, with the code that functions have: complete requests in process, with a DynamoDB that responds
 * at once. In pairs with Middy and zod alone, and with the idempotency of Powertools, so that the ratio holds on any machine.
 */

import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { createRenderer, type LogLine } from '../lib/base/log.ts';
import { tableVariables } from '../lib/dynamodb/tables.ts';
import { requestEvent } from '../scripts/local/call.ts';
import { routesOf } from '../scripts/local/service.ts';
import { type Budgeted, budgets } from './budgets.ts';
import type { Findings } from './findings.ts';
import { functionCode } from './function-code.ts';
import { naiveHandlers } from './naive/pipeline.ts';
import { inTurn, pairs } from './rounds.ts';
import { type Bench, tablePrefix } from './service.ts';
import { median, ratios, spread } from './statistics.ts';

/** Builds the log line without writing it. */
const render = createRenderer('bench', '0123456789ab');
const log = (line: LogLine) => void render(line, 0);

/** Every function of AWS Lambda has this clock. Middy sets a timer with it, and Powertools stores it. */
const context = { getRemainingTimeInMillis: () => 30_000 } as Context;

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
  const env = { ...process.env, ...tableVariables(tablePrefix) };

  const rows = [];
  const budgeted: Budgeted[] = [];
  for (const [name, baseline, method, path, options] of requests) {
    const compared = comparisons[baseline];
    const stub = await recorded(bench, method, path, options);
    const { route, event } = requestEvent(bench.routes, method, path, { key: bench.key, ...options });
    const open = await functionCode(route.endpoint);
    const handler = open(env, { client: stub as never, log });
    const naive = (await naiveHandlers(stub as never, { apiKeys, projects }))[baseline];
    const { ours, theirs } = await inTurn(
      {
        ours: () => microsPerRequest(name, handler, event),
        theirs: () => microsPerRequest(`${name}, baseline`, naive, event),
      },
      { what: `pipeline: ${name}, ${compared}`, rounds: pairs, warmUps },
    );
    const all = ratios(ours, theirs);
    rows.push([name, spread(ours, 'µs'), compared, spread(theirs, 'µs'), spread(all)]);
    budgeted.push({
      budget: baseline === 'createOnce' ? 'idempotencyRatio' : 'pipelineRatio',
      what: `${name}, relative to ${compared}`,
      value: median(all),
    });
  }
  return {
    head: ['request', 'ours', 'compared with', 'theirs', 'ratio'],
    rows,
    notes:
      `CPU time. Budgets: at most ${budgets.pipelineRatio} times Middy and zod, and at most ${budgets.idempotencyRatio} times ` +
      'Middy, zod and Powertools.',
    rounds: `${pairs} alternating pairs of ${requestsPerRound} requests, after ${warmUps} to warm up`,
    budgeted,
  };
}

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
