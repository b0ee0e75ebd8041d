/** The command `api` sends any request, also for operations without a command. */

import type { Command } from 'commander';
import type { Define } from '../command.ts';
import { usageError } from '../errors.ts';
import { bodyFrom } from '../input.ts';
import type { Session } from '../session.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

type ApiOptions = {
  data?: string;
  field?: string[];
  paginate?: boolean;
  include?: boolean;
  ifMatch?: string;
};

export function addApi(program: Command, define: Define): void {
  define<ApiOptions>(program, {
    name: 'api <method> <path>',
    summary: 'Sends any request, and prints the data of the response as JSON',
    details:
      'The path is below the base URL. {project} in it means the current project. -f adds fields: to the query of a GET, to the ' +
      'body of other methods. A field is text; with := it is JSON: -f name=Clara -f limit:=5.',
    project: true,
    creates: true,
    options: [
      ['-f, --field <key=value>', 'a field of the query or the body; several times', { repeat: true }],
      ['--data <json>', 'the body: JSON, @file, or - for standard input'],
      ['--paginate', 'all items of a list, one per line'],
      ['--include', 'shows status and headers, on stderr'],
      ['--if-match <etag>', 'only this version'],
    ],
    examples: [
      'api GET /projects',
      'api GET /projects/{project}/conversations/stats -f groupBy=avatar',
      'api POST /projects -f name=Support --idempotency-key setup-1',
      'api GET /projects/{project}/jobs --paginate | jq -r .id',
    ],
    run: (session, options, method, path) => request(session, options, method.toUpperCase(), path),
  });
}

async function request(
  session: Session,
  options: ApiOptions & { idempotencyKey?: string },
  method: string,
  target: string,
): Promise<void> {
  const { platform, out, shell } = session;
  const { data, field, paginate, include, ifMatch, idempotencyKey } = options;
  if (!methods.includes(method)) throw usageError(`The method must be one of: ${methods.join(', ')}.`);
  if (idempotencyKey !== undefined && method !== 'POST') throw usageError('--idempotency-key is for POST.');
  const { path, query } = pathFrom(session, target);
  const fields = fieldsFrom(field);
  const isRead = method === 'GET';
  if (isRead && data !== undefined)
    throw usageError('A GET has no body: use -f, or ?name=value in the path.');
  if (isRead) Object.assign(query, fields);
  if (paginate) {
    if (!isRead) throw usageError('--paginate is for GET.');
    for await (const item of platform.paginate(path, { limit: 100, ...query })) await out.jsonLine(item);
    return;
  }
  const hasBody = !isRead && (data !== undefined || field !== undefined);
  const body = hasBody ? await bodyFrom<Record<string, unknown>>(shell, data, fields) : undefined;
  const answer = await platform
    .request(method, path, { query, body, idempotencyKey, ifMatch })
    .withResponse();
  if (include) {
    out.note(`HTTP ${answer.response.status}`);
    for (const [name, value] of answer.response.headers) out.note(`${name}: ${value}`);
  }
  await out.jsonText(answer.data, shell.stdout.isTTY && !out.json ? 2 : undefined);
}

/** @returns the path below the base URL, and the query behind it */
function pathFrom(session: Session, target: string): { path: string; query: Record<string, unknown> } {
  if (/^[a-z]+:/i.test(target)) throw usageError('The path is below the base URL, such as /projects.');
  const { pathname } = new URL(session.platform.baseUrl);
  const [beforeQuery = '', search = ''] = target.split(/\?(.*)/s);
  let path = `/${beforeQuery.replace(/^\/+/, '')}`;
  // A path from the documentation, or from a Location header, begins with the path of the base URL.
  if (path.startsWith(`${pathname}/`)) path = path.slice(pathname.length);
  if (path.includes('{project}')) path = path.replaceAll('{project}', encodeURIComponent(session.projectId));
  if (/^\/\/|[#\s\\]|\/(\.|%2e){1,2}(\/|$)/i.test(path)) throw usageError(`This is not a path: ${target}`);
  // A query may have a parameter several times.
  const parameters = new URLSearchParams(search);
  const query = [...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)] as const);
  return { path, query: Object.fromEntries(query) };
}

function fieldsFrom(pairs: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, key, colon, value] = /^([^=:]+)(:?)=(.*)$/s.exec(pair) ?? [];
      if (key === undefined || value === undefined)
        throw usageError(`--field must be key=value or key:=json: ${pair}`);
      if (colon === '') return [key, value];
      try {
        return [key, JSON.parse(value)];
      } catch {
        throw usageError(`The value of ${key}:= must be JSON: ${value}`);
      }
    }),
  );
}
