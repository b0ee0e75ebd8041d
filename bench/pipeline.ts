/** The time of the pipeline itself: complete requests in process, with a DynamoDB that responds at once. */

import type { Context } from 'aws-lambda';
import { createRenderer, type LogLine } from '../lib/log.ts';
import { requestEvent } from '../scripts/local/call.ts';
import { routesOf } from '../scripts/local/service.ts';
import { budgets, type Findings } from './budgets.ts';
import type { Bench } from './service.ts';
import { progress, table } from './statistics.ts';

/** Builds the log line without writing it. */
const render = createRenderer('bench');
const log = (line: LogLine) => void render(line, 0);

const rounds = 15;
const warmUps = 3;
const requestsPerRound = 4000;

export async function pipeline(bench: Bench): Promise<Findings> {
  const { data } = await bench.send('POST', '/projects', { body: { name: 'pipeline' } });
  const requests = [
    ['GET /projects/{project_id}', 'GET', `/projects/${data.id}`, {}],
    ['POST /projects', 'POST', '/projects', { body: { name: 'p', metadata: { a: '1' } } }],
    ['POST /projects, with key', 'POST', '/projects', { body: { name: 'p' }, idempotencyKey: 'key' }],
  ] as const;

  const rows = [];
  const budgeted: { budget: 'pipelineMicros'; what: string; value: number }[] = [];
  for (const [name, method, path, options] of requests) {
    progress(`pipeline: ${name}`);
    const stub = await recorded(bench, method, path, options);
    const routes = routesOf({ ...bench.runtime, client: stub as never, log });
    const { route, event } = requestEvent(routes, method, path, { key: bench.key, ...options });
    const text = event.body;
    const micros: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now();
      for (let index = 0; index < requestsPerRound; index += 1) {
        // Handling a request replaces the body by the parsed one.
        event.body = text;
        const { statusCode } = await route.handler(event, {} as Context);
        if (statusCode >= 300) throw new Error(`${name} answered ${statusCode}`);
      }
      micros.push(((performance.now() - begun) * 1000) / requestsPerRound);
    }
    const value = Math.min(...micros.slice(warmUps));
    rows.push([name, `${value.toFixed(1)} µs`]);
    budgeted.push({ budget: 'pipelineMicros', what: `${name}, in µs`, value });
  }
  // Interruptions only make a round longer, so the fastest one shows the code's own time.
  const text = [
    table(['request', 'per request'], rows),
    '',
    `Budget: at most ${budgets.pipelineMicros} µs. The fastest of ${rounds - warmUps} rounds of ${requestsPerRound} ` +
      `requests, after ${warmUps} warm-up rounds.`,
  ].join('\n');
  return { text, budgeted };
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
  await route.handler(event, {} as Context);
  return {
    async send(command: never) {
      return responses.get(nameOf(command)) ?? {};
    },
  };
}
