/** The server of `platform mcp`. It is a file of its own in the bundle, which no other command loads. */

import { randomBytes } from 'node:crypto';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { noBatches } from '../../../lib/mcp/batches.ts';
import { createServer } from '../../../lib/mcp/server.ts';
import { type Agent, agentIn, type CallSettings, callWith } from './call.ts';

type Settings = Omit<CallSettings, 'agent'> & {
  shell: { stdin: Readable; stdout: Writable };
  allowDestructive: boolean;
};

/**
 * Serves until the input ends, or until a message is too large to go on. Calls that are still running are answered afterwards:
 * the process ends with the last of them.
 */
export async function serve({ shell, allowDestructive, ...settings }: Settings): Promise<void> {
  const { version, onProblem } = settings;
  let agent: Agent | undefined;
  const call = callWith({ ...settings, agent: () => agent });
  // The SDK drops the answers of running calls when its input ends, so this input does not end.
  const messages = shell.stdin.pipe(new PassThrough(), { end: false });
  const transport = new StdioServerTransport(messages, shell.stdout);
  const close = transport.close.bind(transport);
  const closed = new Promise<void>((done) => {
    transport.close = () => close().finally(done);
    shell.stdin.once('end', done).once('close', done);
  });
  serveStdio(() => createServer({ call, allowDestructive, version, randomBytes }), {
    transport,
    onerror: ({ message }) => onProblem(message),
  });
  const { onmessage, onerror } = transport;
  transport.onerror = (error) => {
    onerror?.(error);
    // The line is JSON, and no message. The agent would wait for its answer (JSON-RPC 2.0, "Response object").
    if (error.name === 'ZodError') shell.stdout.write(`${JSON.stringify(invalidRequest)}\n`);
  };
  transport.onmessage = (message: JSONRPCMessage) => {
    agent = agentIn(message) ?? agent;
    onmessage?.(message);
  };
  await closed;
}

/** The answer to a line whose id cannot be read. */
const invalidRequest = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_600, message: `Invalid Request: the line is no message of JSON-RPC 2.0. ${noBatches}` },
};
