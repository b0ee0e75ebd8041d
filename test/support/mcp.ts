/** An agent's side of the tools: the protocol's official client, over stdio or over HTTP. */

import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** Revisions that the server has: the newer has no handshake. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

const newClient = (revision: Revision) =>
  new Client(
    { name: 'test-agent', version: '1.0.0' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  );

/** @param command with its arguments */
export async function connectStdio(
  [command = '', ...args]: readonly string[],
  env: Record<string, string>,
  revision: Revision = '2026-07-28',
) {
  const transport = new StdioClientTransport({ command, args, env, stderr: 'pipe' });
  const client = newClient(revision);
  await client.connect(transport);
  return {
    client,
    kill: () => {
      if (transport.pid !== null) process.kill(transport.pid, 'SIGKILL');
    },
  };
}

export async function connectHttp(
  url: string,
  apiKey: string,
  { fetch = globalThis.fetch, revision = '2026-07-28' }: { fetch?: FetchLike; revision?: Revision } = {},
) {
  const client = newClient(revision);
  const requestInit = { headers: { Authorization: `Bearer ${apiKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit, fetch }));
  return { client };
}

/** @returns the JSON of a result, which stands between two markers if it has texts of others @throws Error if it is an error */
export async function dataOf(client: Client, name: string, args: object): Promise<Record<string, unknown>> {
  const { isError, content } = await client.callTool({ name, arguments: { ...args } });
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  if (isError) throw new Error(text);
  const [, between] = /^<(?:data-[\w-]+)>\n(.*)\n<\/data-[\w-]+>$/ms.exec(text) ?? [];
  return JSON.parse(between ?? text) as Record<string, unknown>;
}

/** Calls a tool. @returns the data of its result */
export type UseTool = (name: string, args: object) => Promise<Record<string, unknown>>;

/**
 * What an agent does from an empty organisation to a transcript, through tools only. A repetition with the same name of the run
 * sends the same keys.
 * @returns the ids of what it has made, and the transcript
 */
export async function storyOfTools(use: UseTool, run: string) {
  const key = (step: string) => ({ idempotencyKey: `${run}-${step}` });
  const project = await use('projects_create', { name: run, ...key('project') });
  const { id: project_id } = project;
  const avatar = await use('avatars_create', {
    project_id,
    name: 'Ada',
    persona: { prompt: 'You are Ada.' },
    ...key('avatar'),
  });
  for (const page of ['returns', 'delivery', 'payment'])
    await use('knowledge_documents_put', {
      project_id,
      external_id: page,
      title: page,
      content: `# ${page}`,
    });
  const deployment = await use('deployments_create', {
    project_id,
    environment: 'production',
    ...key('deployment'),
  });
  const conversation = await use('conversations_create', {
    project_id,
    avatarId: avatar.id,
    ...key('conversation'),
  });
  const conversation_id = conversation.id;
  await use('conversations_append', {
    project_id,
    conversation_id,
    messages: [
      { role: 'user', text: 'Where is my parcel?' },
      { role: 'avatar', text: 'On its way.' },
    ],
    ...key('messages'),
  });
  const transcript = await use('conversations_transcript', { project_id, conversation_id });
  return { projectId: String(project_id), deploymentId: deployment.id, conversation_id, transcript };
}

/**
 * A proxy in front of `POST /mcp` that adds the key: the conformance suite cannot send a key. The proxy changes nothing else. Where
 * the suite names the proxy as host or origin, it means the server.
 * @param baseUrl of the API
 * @returns the address of the tools, and the end of the proxy
 */
export async function openMcpProxy({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }) {
  const { host: apiHost } = new URL(baseUrl);
  let own = '';
  const headersFor = ({ host = '', origin, ...others }: IncomingHttpHeaders) => ({
    ...others,
    host: host === own ? apiHost : host,
    ...(origin !== undefined && { origin: origin === `http://${own}` ? `http://${apiHost}` : origin }),
    authorization: `Bearer ${apiKey}`,
  });
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const target = new URL(`${baseUrl}${url}`);
    const forwarded = request(target, { method, headers: headersFor(headers) }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://${own}/mcp`, close };
}
