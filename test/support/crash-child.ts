/**
 * A server process that dies: it serves the API on DynamoDB Local and kills itself, without a word, at one point of its
 * first commit. Told by its environment: CRASH is `before`, `in` or `after`.
 *
 *   before   the transaction is ready and not sent
 *   in       the transaction is on its way, and DynamoDB Local carries it out; no answer has come
 *   after    the transaction is answered; the caller has no answer yet
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRuntime } from '../../lib/http/runtime.ts';
import { createGateway } from '../../scripts/local/gateway.ts';
import { routesOf } from '../../scripts/local/service.ts';
import { intercept } from './faults.ts';

const die = () => process.kill(process.pid, 'SIGKILL');
const commits = ['TransactWriteCommand', 'PutCommand'];

const runtime = { ...createRuntime(process.env), log: () => {} };
const client = intercept(runtime.client, (command, proceed) => {
  if (!commits.includes(command.constructor.name)) return undefined;
  switch (process.env.CRASH) {
    case 'before':
      die();
      return new Promise(() => {});
    case 'in':
      // The parent holds the answer back and kills us while we wait for it.
      return undefined;
    case 'after':
      return proceed().then(() => {
        die();
        return new Promise(() => {});
      });
    default:
      return undefined;
  }
});

const server = createServer(createGateway(routesOf({ ...runtime, client })));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
