/**
 * Chooses the core of an endpoint's pipeline, where one process has all endpoints. A function has only the core of its own
 * endpoint (lib/http/lambda).
 */

import type { Core, Endpoint } from '../types.ts';
import { changeCore } from './change-core.ts';
import { readCore } from './read-core.ts';

const cores = { read: readCore, change: changeCore } satisfies Record<string, Core>;

export const coreNameOf = ({ method }: Pick<Endpoint, 'method'>): keyof typeof cores =>
  method === 'GET' ? 'read' : 'change';

export const coreOf = (endpoint: Endpoint): Core => cores[coreNameOf(endpoint)];
