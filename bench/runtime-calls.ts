/** The ten endpoints that a runtime calls most: those of a live conversation, and of its configuration. */

import { endpoints } from '../functions/index.ts';

const ids = [
  'environments.get',
  'environments.config',
  'deployments.get',
  'conversations.create',
  'conversations.put',
  'conversations.append',
  'conversations.get',
  'conversations.transcript',
  'conversations.end',
  'knowledge.search',
];

/** @throws Error if an endpoint has another name now */
export const runtimeCalls = () =>
  ids.map((id) => {
    const endpoint = endpoints.find((one) => one.id === id);
    if (!endpoint) throw new Error(`bench/runtime-calls.ts names ${id}, which does not exist`);
    return endpoint;
  });
