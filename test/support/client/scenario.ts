/** The tests of the client run in every runtime, so they import nothing but types, and assert by themselves. */

import type * as Client from '../../../clients/typescript/src/index.ts';
import type * as Runtime from '../../../clients/typescript/src/runtime/index.ts';

export type Context = {
  /** The package, as it was installed. */
  client: typeof Client;
  /** Its kit for runtimes. */
  runtime: typeof Runtime;
  /** Of the proxy. */
  origin: string;
  apiKey: string;
  /** A client that gives up late and times out early, so that faults cost little time. */
  platform: Client.Platform;
  /** A new project in this client. */
  newProject: () => Promise<{ id: string; project: ReturnType<Client.Platform['projects']> }>;
  /** Asks the proxy. */
  control: (name: string, body?: object) => Promise<Record<string, unknown>>;
  /** Whether it runs in a page. */
  isPage: boolean;
  /** An empty folder. Undefined if the runtime has no files. */
  folder: string | undefined;
};

export type Scenarios = Record<string, (context: Context) => Promise<void>>;

const show = (value: unknown) => JSON.stringify(value) ?? String(value);

/** Compares as JSON. */
export function equal(actual: unknown, expected: unknown, what = 'value'): void {
  if (show(actual) !== show(expected))
    throw new Error(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

export function ok(value: unknown, what: string): asserts value {
  if (!value) throw new Error(`not so: ${what}`);
}

/** @returns what the promise rejects with */
export async function rejection(
  act: Promise<unknown> | (() => unknown),
): Promise<Error & Record<string, unknown>> {
  try {
    await (typeof act === 'function' ? act() : act);
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error('expected a failure');
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** A response of the API for a custom `fetch`. */
export const success = (data: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ success: true, data }), { status, headers });

export const failure = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  more: object = {},
) =>
  new Response(
    JSON.stringify({ success: false, error: { code, message: 'A message.', requestId: 'req-1', ...more } }),
    {
      status,
      headers: { 'X-Request-Id': 'req-1', ...headers },
    },
  );
