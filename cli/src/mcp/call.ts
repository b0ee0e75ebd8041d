/** Sends the requests of tools to the address of the key, with the key, and says which agent uses the tools. */

import { ownFetch } from '../../../clients/typescript/src/node.ts';
import { mcpAgent } from '../../../lib/base/version.ts';
import type { Call } from '../../../lib/mcp/server.ts';

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

export type Agent = { name: string; version: string };

/** @returns the agent that a message names: an older agent in its first message, a newer agent in each */
export function agentIn(message: object): Agent | undefined {
  const params = 'params' in message ? message.params : undefined;
  const { clientInfo, _meta } = (params ?? {}) as { clientInfo?: unknown; _meta?: Record<string, unknown> };
  const { name, version } = (clientInfo ??
    _meta?.['io.modelcontextprotocol/clientInfo'] ??
    {}) as Partial<Agent>;
  return typeof name === 'string' && typeof version === 'string' ? { name, version } : undefined;
}

/**
 * The audit log shows the User-Agent. An agent chooses its name, so the name is cut, and has no character that ends the comment in
 * the header.
 */
export function userAgentOf(version: string, agent: Agent | undefined): string {
  const comment = agent && `${agent.name}/${agent.version}`.replace(/[^\w./ -]/g, '').slice(0, 100);
  return `${mcpAgent}${version}${comment ? ` (${comment})` : ''}`;
}
