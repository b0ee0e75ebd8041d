/** Plans a new endpoint, from its id, method and path, and from the existing endpoints, ids and stores. */

import { setsIn } from '../../lib/base/scopes.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { UsageError } from '../shared/options.ts';

export type Asked = { id: string; method: string; path: string };

export type Known = {
  endpoints: readonly { id: string; method: string; path: string; auth: Endpoint['auth'] }[];
  /** The kind of id that a path parameter has, by its name: `document_id` is a `knowledgeDocument`. */
  idKinds: ReadonlyMap<string, string>;
  /** The file of each load, by its name: `avatarInPath` is in `lib/avatars/store.ts`. */
  loads: ReadonlyMap<string, string>;
  /** The collections of resources below a project, by their name, which is the name of the resource. */
  collections: ReadonlyMap<string, Collection>;
};

/** `Widget` is in the file `schema.ts` beside the store. */
export type Collection = { store: string; table: string; Type: string };

export type Plan = Asked & {
  scope: string;
  params: readonly { name: string; kind: string }[];
  /** The state of the project, for an endpoint below one. */
  project: 'existing' | 'active' | undefined;
  /** The resource that the path names last, unless it is the project that the pipeline reads anyway. */
  load: { kind: string; name: string; file: string } | undefined;
  /** The parts of a list of the resource: its collection, and the endpoint that shows an item, whose sample makes an item. */
  list: (Collection & { name: string; shownBy: string }) | undefined;
  /** The endpoint whose sample has the same path as far as its last parameter, and the rest of the path. */
  sampleFrom: { id: string; rest: string } | undefined;
};

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const idForm = /^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)+$/;
const pathForm = /^(\/([a-z]+(-[a-z]+)*|\{[a-z]+(_[a-z]+)*\}))+$/;

/** @throws UsageError with one sentence that says what is wrong, and what to do */
export function planEndpoint({ id, method, path }: Asked, known: Known): Plan {
  if (!idForm.test(id)) refuse(`"${id}" is not an id: use <resource>.<verb>, such as projects.transfer.`);
  if (!methods.includes(method)) refuse(`"${method}" is not a method: use one of ${methods.join(', ')}.`);
  if (!pathForm.test(path)) {
    refuse(`"${path}" is not a path: use words and {parameters}, such as /projects/{project_id}/transfer.`);
  }
  if (known.endpoints.some((one) => one.id === id)) refuse(`There is an endpoint ${id} already.`);
  if (known.endpoints.some((one) => one.method === method && one.path === path)) {
    refuse(`There is an endpoint ${method} ${path} already.`);
  }

  const resource = id.split('.')[0] ?? '';
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    kind: kindOf(name, known),
  }));
  const last = params.at(-1);
  const isBelowProject = params[0]?.name === 'project_id' && resource !== 'projects';
  const project = isBelowProject ? (method === 'GET' ? 'existing' : 'active') : undefined;
  return {
    id,
    method,
    path,
    list:
      project && method === 'GET' && id === `${resource}.list` ? listOf(resource, path, known) : undefined,
    scope: `${scopeOf(resource, known)}:${method === 'GET' ? 'read' : 'write'}`,
    params,
    project,
    load: last && !(project && last.name === 'project_id') ? loadOf(last.kind, known) : undefined,
    sampleFrom: last && sampleOf(path, known),
  };
}

function refuse(sentence: string): never {
  throw new UsageError(sentence);
}

const scopeOf = (resource: string, { endpoints }: Known): string =>
  endpoints
    .filter(({ id }) => id.startsWith(`${resource}.`))
    .map(({ auth }) => setsIn(auth)[0]?.[0].split(':')[0])
    .find((scope) => scope !== undefined) ??
  refuse(
    `There is no resource ${resource} yet. Start the id with an existing resource, such as avatars.names, or see "Add a resource" in CONTRIBUTING.md.`,
  );

const kindOf = (name: string, { idKinds }: Known): string =>
  idKinds.get(name) ??
  refuse(`No endpoint has an id as {${name}}: copy one whose path has that parameter, instead.`);

function loadOf(kind: string, { loads }: Known): Plan['load'] {
  const name = `${kind}InPath`;
  const file = loads.get(name);
  if (file === undefined)
    return refuse(`lib/ has no load ${name} yet: declare it like projectInPath in lib/projects/store.ts.`);
  return { kind, name, file };
}

function listOf(name: string, path: string, { collections, endpoints }: Known): Plan['list'] {
  const collection = collections.get(name);
  const owner = endpoints.find(
    (one) => one.method === 'GET' && one.path.startsWith(`${path}/{`) && one.id === `${name}.get`,
  );
  return collection && owner ? { ...collection, name, shownBy: owner.id } : undefined;
}

function sampleOf(path: string, { endpoints }: Known): Plan['sampleFrom'] {
  const parent = path.slice(0, path.lastIndexOf('}') + 1);
  const owner = endpoints.find((one) => one.path === parent && one.method === 'GET');
  if (!owner) return refuse(`There is no GET ${parent} yet: add that endpoint first.`);
  return { id: owner.id, rest: path.slice(parent.length) };
}
