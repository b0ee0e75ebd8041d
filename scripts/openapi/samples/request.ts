/** A request as a code sample shows it: with variables for the ids that a caller has to put in. */

import type { Endpoint } from '../../../lib/http/endpoint.ts';

type Json = Record<string, unknown>;

/** A request that succeeded. */
export type Sent = {
  /** The path with the query, percent-encoded. */
  path: string;
  body?: Json;
  /** The data of the response, unless the response has no envelope. */
  data?: Json;
};

/** An environment variable, or a fixed text. */
export type Part = { variable: string } | { text: string };

export type SampleRequest = {
  id: string;
  method: Endpoint['method'];
  /** The segments of the path, decoded. */
  path: readonly Part[];
  /** The segments that are parameters. */
  parameters: readonly { name: string; part: Part; isNumber: boolean }[];
  query: Readonly<Record<string, string>>;
  body: Json | undefined;
  hasCredential: boolean;
  isIdempotent: boolean;
  isList: boolean;
  isRaw: boolean;
  /** The project that has the method's resource, if it belongs to a project. */
  project: Part | undefined;
  /** The ids that the method takes. */
  ids: SampleRequest['parameters'];
  /** The variables, in the order of their first use. */
  variables: readonly string[];
};

/** The variables of ids, by the ids' prefixes. */
const variables: Readonly<Record<string, string>> = {
  proj: 'PROJECT_ID',
  key: 'KEY_ID',
  avtr: 'AVATAR_ID',
  conv: 'CONVERSATION_ID',
  dep: 'DEPLOYMENT_ID',
  job: 'JOB_ID',
  kdoc: 'DOCUMENT_ID',
  aud: 'AUDIT_EVENT_ID',
  evt: 'EVENT_ID',
  whk: 'WEBHOOK_ID',
  dlv: 'DELIVERY_ID',
  upl: 'UPLOAD_ID',
  src: 'SOURCE_ID',
};

/** @returns the variable for an id of a resource; undefined for any other text */
export function variableOf(text: string): string | undefined {
  const [, prefix = ''] = /^([a-z]+)_[0-9A-Z]{26}$/.exec(text) ?? [];
  return variables[prefix];
}

export function partOf(text: string): Part {
  const variable = variableOf(text);
  return variable ? { variable } : { text };
}

export function requestOf(endpoint: Endpoint, { path, body, data }: Sent): SampleRequest {
  const url = new URL(path, 'http://localhost');
  const parts = url.pathname.slice(1).split('/').map(decodeURIComponent).map(partOf);
  const parameters = endpoint.path
    .slice(1)
    .split('/')
    .flatMap((segment, index) => {
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      const part = parts[index];
      return name && part ? [{ name, part, isNumber: name === 'version' }] : [];
    });
  const isBound = endpoint.path.startsWith('/projects/{project_id}/') && !endpoint.id.startsWith('projects.');
  return {
    id: endpoint.id,
    method: endpoint.method,
    path: parts,
    parameters,
    query: Object.fromEntries(url.searchParams),
    body,
    hasCredential: endpoint.auth !== 'public',
    isIdempotent: endpoint.idempotent,
    isList: data !== undefined && 'nextCursor' in data,
    isRaw: endpoint.raw !== undefined,
    project: isBound ? parameters[0]?.part : undefined,
    ids: isBound ? parameters.slice(1) : parameters,
    variables: [
      ...new Set([
        ...parts.flatMap((part) => ('variable' in part ? [part.variable] : [])),
        ...textsIn(body).flatMap((text) => variableOf(text) ?? []),
      ]),
    ],
  };
}

/** @returns every text in a JSON value */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

export const queryText = (query: Readonly<Record<string, string>>): string => {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
};
