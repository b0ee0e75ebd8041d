/** Which endpoints the document has. */

import { endpoints } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';

/** Those with JSON or events. Pages are for people, and files for npm and pip. */
export const documented: readonly Endpoint[] = endpoints.filter(
  ({ raw }) => raw === undefined || raw === 'json' || raw === 'events',
);
