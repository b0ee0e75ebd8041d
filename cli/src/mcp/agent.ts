/** The agent that uses the tools. */

import { mcpAgent } from '../../../lib/base/version.ts';

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
