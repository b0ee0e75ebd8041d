/** The AWS clients of the functions' bundles and the SDK's own ones, before a server that responds by a script. */

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import * as client from '@aws-sdk/client-dynamodb';
import * as document from '@aws-sdk/lib-dynamodb';
import { build } from 'esbuild';
import { leanPlugins } from '../../scripts/bundle/bundle.ts';
import { root } from '../../scripts/shared/root.ts';

/** @returns the exports of a module, as a bundle of a function has it. Each call makes another copy */
export async function importBundled(contents: string): Promise<unknown> {
  const folder = mkdtempSync(resolve(root, 'dist/function-sdk-'));
  const outfile = resolve(folder, 'index.mjs');
  try {
    await build({
      stdin: { contents, resolveDir: root },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      mainFields: ['module', 'main'],
      plugins: leanPlugins,
      logLevel: 'silent',
    });
    return await import(outfile);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const commandNames = [
  'GetCommand',
  'BatchGetCommand',
  'QueryCommand',
  'PutCommand',
  'UpdateCommand',
  'DeleteCommand',
  'BatchWriteCommand',
  'TransactWriteCommand',
] as const;

export type CommandName = (typeof commandNames)[number];

const exceptionNames = ['ConditionalCheckFailedException', 'TransactionCanceledException'] as const;

export type Libraries = Pick<typeof document, 'DynamoDBDocumentClient' | CommandName> &
  Pick<typeof client, 'DynamoDBClient' | (typeof exceptionNames)[number]>;

export const realDynamoDb: Libraries = { ...client, ...document };

/** @returns the DynamoDB client of the bundles */
export const bundledDynamoDb = async (): Promise<Libraries> =>
  (await importBundled(`
    export { DynamoDBClient, ${exceptionNames.join(', ')} } from '@aws-sdk/client-dynamodb';
    export { DynamoDBDocumentClient, ${commandNames.join(', ')} } from '@aws-sdk/lib-dynamodb';`)) as Libraries;

export type Sent = {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
};

/** A response, or what a broken connection does instead: before the response, in its body, or never. */
export type Scripted =
  | { status: number; body: object | string | null; headers?: Record<string, string> }
  | 'reset'
  | 'truncated'
  | 'silence';

export type ScriptedServer = Awaited<ReturnType<typeof openScriptedServer>>;

/** @returns a server that responds by its script, one entry per request, then with `{}` */
export async function openScriptedServer() {
  let sent: Sent[] = [];
  let script: Scripted[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      sent.push({ method: request.method, url: request.url, headers: request.headers, body });
      respond(response, script.shift() ?? { status: 200, body: {} });
    });
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    /** Forgets what was sent before. */
    play(next: readonly Scripted[]) {
      sent = [];
      script = [...next];
    },
    sent: () => sent,
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

const listen = (server: Server) => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));

function respond(response: ServerResponse, scripted: Scripted): void {
  if (scripted === 'silence') return;
  if (scripted === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (scripted === 'truncated') {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"Item":', () => response.socket?.destroy());
    return;
  }
  const { status, body, headers } = scripted;
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'secret',
  sessionToken: 'session',
};

/** Headers that differ between two requests, or that say only who sent it. */
const varying = new Set([
  'amz-sdk-invocation-id',
  'authorization',
  'user-agent',
  'x-amz-user-agent',
  'x-amz-date',
]);

/** @returns a request without what differs between two of them */
export const fixed = ({ headers, ...rest }: Sent) => ({
  ...rest,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !varying.has(name))),
});

/** @returns the scope and the signed headers of a request */
export function signed({ headers: { authorization = '' } }: Sent) {
  const [, scope, names] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}(\/[^,]+), SignedHeaders=([^,]+), Signature=[0-9a-f]{64}$/.exec(
      authorization,
    ) ?? [];
  return { scope, names };
}

type Outcome = { output: object } | { error: object };

export type Run = {
  command: [CommandName, object];
  script?: readonly Scripted[];
  config?: client.DynamoDBClientConfig;
  options?: { abortSignal?: AbortSignal };
};

/** Sends a command. @returns what was sent, and the output or the error with all of its fields */
export async function run(
  libraries: Libraries,
  server: ScriptedServer,
  { command: [name, input], script = [], config = {}, options = {} }: Run,
): Promise<{ sent: Sent[]; outcome: Outcome }> {
  server.play(script);
  const dynamoDb = new libraries.DynamoDBClient({
    region: 'eu-central-1',
    endpoint: server.url,
    credentials,
    maxAttempts: 3,
    ...config,
  });
  const documents = libraries.DynamoDBDocumentClient.from(dynamoDb, {
    marshallOptions: { convertClassInstanceToMap: true },
  });
  const command = new libraries[name](input as never);
  const outcome = await documents.send(command as document.GetCommand, options).then(
    (output): Outcome => ({ output }),
    (error): Outcome => ({ error: fieldsOf(error, libraries) }),
  );
  return { sent: server.sent(), outcome };
}

/** @returns the fields of an error, and of which of the exported classes it is */
function fieldsOf(error: Error, libraries: Libraries): object {
  const classes = exceptionNames.filter((name) => error instanceof libraries[name]);
  // The SDK says in the message of a SyntaxError where the response is.
  const message = error.message.replace(/\n {2}Deserialization error: .*$/, '');
  return { ...error, name: error.name, message, isError: error instanceof Error, classes };
}
