/**
 * Chooses the core of an endpoint's pipeline, where one process has all endpoints. A function has only the core of its own
 * endpoint.
 */

import type { Core, Endpoint } from '../types.ts';
import { changeCore } from './change-core.ts';
import { readCore } from './read-core.ts';

export const coreOf = ({ method }: Endpoint): Core => (method === 'GET' ? readCore : changeCore);
