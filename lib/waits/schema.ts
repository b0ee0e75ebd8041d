/** The query parameter of a request that waits. */

import { sentNumber } from '../schema/common.ts';
import { maxWaitSeconds, maxWaitsPerCaller, maxWaitsPerTenant } from './limits.ts';

/** How long a request is to wait for what it asks about. */
export const waitSeconds = (description: string) =>
  sentNumber(/^(\d|1\d|20)$/, [0, maxWaitSeconds], 0).meta({
    description:
      `${description} A credential can have ${maxWaitsPerCaller} requests that wait, an organisation and mode ` +
      `${maxWaitsPerTenant}; a further one is answered at once, with \`Retry-After\`.`,
  });
