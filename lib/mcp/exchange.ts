/**
 * One message of the Model Context Protocol is answered over streamable HTTP, without a session, in the revision 2026-07-28 and
 * in the older revisions of the SDK. The server calls the API with the credential of the request.
 */

import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { validationMessage } from '../base/validation-message.ts';
import { mcpAgent } from '../base/version.ts';
import { type Call, createServer } from './server.ts';

// The schemas of the SDK have the settings of ours. This file has all of zod for them. The bundle of the function has our part of zod.
z.config({ jitless: true, customError: validationMessage });

type Api = { url: () => string; send: (path: string, request: RequestInit) => Promise<Response> };

type Exchange = {
  /** The body of the request is one message of JSON-RPC. */
  message: Record<string, unknown>;
  /** @param name in lower case. @returns the values of a header of the request */
  headerValues: (name: string) => readonly string[];
  /** The header Authorization of the request, which the API checks. */
  authorization: string;
  allowDestructive: boolean;
  version: string;
  randomBytes: (size: number) => Uint8Array;
  api: Api;
};

type Answer =
  | { status: 200 | 202 | 400 | 404 | 406; text: string }
  /** The API has refused the credential. The text says why. */
  | { status: 401; text: string };

/** All calls of one message have this time together. The function may run for 28 seconds. */
export const messageMs = 25_000;

/** The headers that the SDK reads, without Accept. No tool has parameters in headers. */
const protocolHeaders = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** @throws Error if the SDK fails */
export async function exchange(input: Exchange): Promise<Answer> {
  const { message, allowDestructive, version, randomBytes } = input;
  if (!takesJson(input.headerValues('accept'))) return notAcceptable(message);
  if (message.method === 'subscriptions/listen') return methodNotFound(message);
  const refusal: { reason?: string } = {};
  const faults: Error[] = [];
  const server = () =>
    createServer({
      call: caller(input, refusal),
      allowDestructive,
      version,
      randomBytes,
      idempotencyKey: idempotencyKeyIn(input),
    });
  const request = requestOf(input);
  const response = (await isLegacyRequest(request, message))
    ? await answerLegacy(server(), request, message)
    : await createMcpHandler(server, {
        legacy: 'reject',
        onerror: (error) => void faults.push(error),
      }).fetch(request, { parsedBody: message });
  if (refusal.reason !== undefined) return { status: 401, text: refusal.reason };
  const text = await response.text();
  const { status } = response;
  if (status === 200 || status === 202 || status === 400 || status === 404 || status === 406) {
    return { status, text };
  }
  throw new Error(`the SDK answered ${status}`, { cause: faults.at(-1) });
}

/** The SDK would open a stream, and the function would run until its timeout. No tool ever changes, so no stream is needed. */
function methodNotFound({ id = null }: Exchange['message']): Answer {
  const error = { code: -32_601, message: 'Method not found' };
  return { status: 404, text: JSON.stringify({ jsonrpc: '2.0', id, error }) };
}

/** The answer is that of the SDK, which does not know ranges of types, such as any type. */
function notAcceptable({ id = null }: Exchange['message']): Answer {
  const error = { code: -32_000, message: 'Not Acceptable: the answer is application/json' };
  return { status: 406, text: JSON.stringify({ jsonrpc: '2.0', id, error }) };
}

/** The revisions before 2026-07-28 are answered with JSON in place of a stream. */
async function answerLegacy(
  server: ReturnType<typeof createServer>,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

function requestOf({ message, headerValues, api }: Exchange): Request {
  const headers = new Headers();
  for (const name of protocolHeaders) {
    for (const value of headerValues(name)) headers.append(name, value);
  }
  // `takesJson` has checked the header. The SDK accepts only these two types by name.
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(`${api.url()}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
}

const idempotencyKeyIn = ({ headerValues }: Exchange) => headerValues('idempotency-key').at(0);

/** @param refusal gets the reason, if the API refuses the credential */
function caller({ api, authorization, version, headerValues }: Exchange, refusal: { reason?: string }): Call {
  const timeout = AbortSignal.timeout(messageMs);
  const agent = mcpAgent + version;
  const callerAgent = shortAgent(headerValues('user-agent').at(0) ?? '');
  const common = {
    Authorization: authorization,
    'User-Agent': callerAgent === '' ? agent : `${agent} (${callerAgent})`,
  };
  return async ({ method, path, headers, body, signal }) => {
    const response = await api.send(path, {
      method,
      headers: { ...headers, ...common },
      ...(body !== undefined && { body }),
      signal: AbortSignal.any([timeout, signal]),
    });
    if (response.status === 401) refusal.reason ??= await reasonIn(response.clone());
    return response;
  };
}

/** @returns an agent for the audit log. A header has printable ASCII, and a comment in it no parentheses */
const shortAgent = (agent: string): string => agent.replace(/[^ -'*-~]/g, '').slice(0, 120);

/** The API does not say where a key may be used from, so the sentence is in each refusal. */
async function reasonIn(response: Response): Promise<string> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
  return (
    `${error?.message ?? 'The API refused the credential.'} A key with allowedCidrs does not work here, because the address of ` +
    'the caller is that of this service: use platform mcp, which sends from your own machine.'
  );
}

/** The ranges are sorted from the most specific to the least specific. The most specific range of a header decides. */
const ranges = ['application/json', 'application/*', '*/*'] as const;

/**
 * The header Accept says whether the sender of a request takes JSON (RFC 9110, section 12.5.1). The protocol says that a client
 * lists `application/json` and `text/event-stream`. Every answer of this server is JSON, so a client only has to take JSON.
 * @param values the values of the header; without a value, every type is accepted
 */
export function takesJson(values: readonly string[]): boolean {
  const acceptedRanges = values
    .flatMap((value) => value.split(','))
    .map(rangeIn)
    .filter(({ range }) => range !== '');
  if (acceptedRanges.length === 0) return true;
  const deciding = ranges.find((candidate) => acceptedRanges.some(({ range }) => range === candidate));
  return acceptedRanges.some(({ range, isRefused }) => range === deciding && !isRefused);
}

function rangeIn(part: string): { range: string; isRefused: boolean } {
  const [range = '', ...parameters] = part.split(';').map((parameter) => parameter.trim().toLowerCase());
  return { range, isRefused: parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) };
}
