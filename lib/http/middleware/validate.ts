/**
 * Validates the request. Reads query, body, If-Match, and the errors of `parsePath`; sets `params`, `query` and `body`.
 * May fail with `validation_error`, which lists all errors, with `not_found` for a malformed id, or with `insufficient_scope` if the
 * request requires other scopes.
 */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { core } from 'zod';
import { ApiError, type ErrorDetail } from '../../base/errors.ts';
import { requireScopesFor } from '../admission.ts';
import type { Middleware, Request } from '../call.ts';
import { callAt } from '../stages.ts';
import type { Endpoint } from '../types.ts';

const maxDetails = 100;

export function validate(endpoint: Endpoint): Middleware {
  const schemas = endpoint.request;
  const lists = listsIn(schemas.query);

  function validateBefore({ event, context }: Request): void {
    const call = callAt(context.call, 'authorized');
    const { params, error } = call.parsedPath;
    // A malformed id is a 404. A name that the caller has chosen gets a validation error.
    if (error?.issues.some(({ code }) => code === 'invalid_format')) throw new ApiError('not_found');
    const { values, repeated } = readQuery(event, lists);
    const query = schemas.query.safeParse(values);
    const body = schemas.body?.safeParse(event.body);
    const details = [...repeated, ...faults(error), ...faults(query.error), ...faults(body?.error)];
    if (endpoint.ifMatch && call.headers.ifMatch.state === 'invalid') {
      details.push({ path: 'If-Match', message: 'must be * or a list of ETags' });
    }
    if (details.length > 0 || !params) {
      throw new ApiError('validation_error', undefined, { details: details.slice(0, maxDetails) });
    }
    requireScopesFor(endpoint, call.sender, { query: query.data, body: body?.data });
    context.call = { ...call, stage: 'validated', params, query: query.data, body: body?.data };
  }

  return { before: validateBefore };
}

/** A parameter may be repeated only if its schema is an array. Otherwise, one of its values would be ignored. */
function readQuery(event: APIGatewayProxyEvent, lists: ReadonlySet<string>) {
  const values: Record<string, string | string[]> = {
    ...(event.queryStringParameters as Record<string, string>),
  };
  const repeated: ErrorDetail[] = [];
  for (const [path, list] of Object.entries(event.multiValueQueryStringParameters ?? {})) {
    if (lists.has(path)) values[path] = list ?? [];
    else if ((list?.length ?? 0) > 1) repeated.push({ path, message: 'must be sent once' });
  }
  return { values, repeated };
}

/** @returns the names of the parameters that may be repeated */
function listsIn(query: object): ReadonlySet<string> {
  const { shape = {} } = query as { shape?: Readonly<Record<string, core.$ZodType>> };
  return new Set(Object.keys(shape).filter((name) => isList(shape[name])));
}

function isList(schema: core.$ZodType | undefined): boolean {
  const { type, innerType } = (schema?._zod.def ?? {}) as { type?: string; innerType?: core.$ZodType };
  return type === 'array' || (innerType !== undefined && isList(innerType));
}

function faults(error: core.$ZodError | undefined): ErrorDetail[] {
  if (!error) return [];
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: fieldPath([...issue.path, key]), message: 'unknown field' }));
    }
    return [{ path: fieldPath(issue.path), message: issue.message }];
  });
}

const fieldPath = (path: readonly PropertyKey[]) => path.map(String).join('.');
