/**
 * Facts for which OpenAPI has no field: scopes, pagination, idempotency, retries, and what an operation removes. `x-scopes`,
 * `x-pagination`, `x-idempotency`, `x-retry` and `x-removes` are this document's own. The other fields say the same to the generators of Speakeasy and Fern, in their form.
 */

import type { Endpoint } from '../../lib/http/endpoint.ts';
import { errors } from '../../lib/http/errors.ts';
import { errorsOf } from './errors.ts';
import type { Json } from './schemas.ts';

/** Fern's list of the headers that make a request idempotent. */
export const documentExtensions = {
  'x-fern-idempotency-headers': [{ header: 'Idempotency-Key', name: 'idempotency_key' }],
};

/** The names of a list's cursor parameter and of the response fields below `data`. */
type Pagination = { cursor: string; nextCursor: string; items: string; final?: string };

/** @returns the extensions of an operation */
export function operationExtensions(endpoint: Endpoint): Json {
  const pagination = paginationOf(endpoint);
  return {
    'x-errors': errorsOf(endpoint),
    ...scopesOf(endpoint),
    ...(endpoint.removes !== undefined && { 'x-removes': { why: endpoint.removes } }),
    ...(pagination && { 'x-pagination': pagination }),
    ...(pagination && !pagination.final && vendorPagination(pagination)),
    ...(endpoint.idempotent && {
      'x-idempotency': { header: 'Idempotency-Key', retentionHours: 24 },
      'x-fern-idempotent': true,
    }),
    'x-retry': {
      statuses: [...new Set(errorsOf(endpoint).map((code) => errors[code].status))].filter(
        (status) => status === 429 || status >= 500,
      ),
      header: 'Retry-After',
      // Every other method can be repeated as it is.
      ...(endpoint.idempotent && { requires: 'Idempotency-Key' }),
    },
  };
}

/** What a credential needs one of: scopes, and lists of scopes that it needs together. */
const scopesOf = ({ auth }: Endpoint): Json =>
  typeof auth === 'string' ? {} : { 'x-scopes': auth.map((set) => (set.length === 1 ? set[0] : set)) };

function paginationOf({ id, request }: Endpoint): Pagination | undefined {
  const query = (request.query as { shape?: object }).shape ?? {};
  // Its pages are of projects, beside the days of the organisation.
  if (id === 'usage.days')
    return { cursor: 'cursor', nextCursor: 'projects.nextCursor', items: 'projects.items' };
  // The parts of a text have a cursor, and no limit.
  if ('cursor' in query && 'limit' in query)
    return { cursor: 'cursor', nextCursor: 'nextCursor', items: 'items' };
  // It also grows while it is read, so its last page says that it is the last.
  if (id === 'conversations.transcript') {
    return { cursor: 'afterSeq', nextCursor: 'nextAfterSeq', items: 'messages', final: 'final' };
  }
  return undefined;
}

const vendorPagination = ({ cursor, nextCursor, items }: Pagination): Json => ({
  'x-speakeasy-pagination': {
    type: 'cursor',
    inputs: [{ name: cursor, in: 'parameters', type: 'cursor' }],
    outputs: { results: `$.data.${items}`, nextCursor: `$.data.${nextCursor}` },
  },
  'x-fern-pagination': {
    cursor: `$request.${cursor}`,
    next_cursor: `$response.data.${nextCursor}`,
    results: `$response.data.${items}`,
  },
});
