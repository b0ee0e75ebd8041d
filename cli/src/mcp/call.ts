/** Sends the requests of tools to the address of the key, with the key. */

import { ownFetch } from '../../../clients/typescript/src/node.ts';
import type { Call } from '../../../lib/mcp/server.ts';
import { type Agent, userAgentOf } from './agent.ts';

export type CallSettings = {
  baseUrl: string;
  /** @returns the key, or a token for one request @throws Error if there is none */
  bearer: () => Promise<string>;
  /** The version of the command line. */
  version: string;
  agent: () => Agent | undefined;
  /** Gets a sentence about each request. */
  onCall: (sentence: string) => void;
  /** Gets the reason of a failure, which the answer to the agent does not say. */
  onProblem: (sentence: string) => void;
};

/** @returns a function that sends requests to the address of the key */
export const callWith =
  ({ baseUrl, bearer, version, agent, onCall, onProblem }: CallSettings): Call =>
  async ({ method, path, headers, body, signal }) => {
    const startMs = performance.now();
    try {
      const response = await ownFetch(baseUrl + path, {
        method,
        headers: {
          ...headers,
          Authorization: `Bearer ${await bearer()}`,
          'User-Agent': userAgentOf(version, agent()),
        },
        ...(body !== undefined && { body }),
        // A key is only sent to its own address.
        redirect: 'error',
        signal,
      });
      onCall(`${method} ${path} ${response.status} ${Math.round(performance.now() - startMs)} ms`);
      return response;
    } catch (error) {
      onProblem(`${method} ${path}: ${reasonOf(error)} (${new URL(baseUrl).origin})`);
      throw error;
    }
  };

/** `fetch` says why it has failed only in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  if (!(cause instanceof Error)) return message;
  return `${message}: ${'code' in cause ? String(cause.code) : cause.message}`;
}
