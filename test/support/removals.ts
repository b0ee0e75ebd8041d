/** What the tools of an agent make disappear: an organisation with something of everything, and what reads return of it. */

import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { dayMs } from '../../lib/base/time.ts';
import { requestOf } from '../../lib/mcp/request.ts';
import { type Tool, tools } from '../../lib/mcp/tools.ts';
import { type Json, openApi, type TestApi, toLoopback } from '../../samples/api.ts';
import { avatarBody, deploymentBody, identityBody, ruleBody, sampleOf } from '../../samples/samples.ts';
import { type OpenApi, resolveRef, type Schema } from '../../scripts/openapi/client/document.ts';
import { operationsIn } from '../../scripts/openapi/client/operations.ts';
import { root } from '../../scripts/shared/root.ts';
import { workers } from '../../workers/index.ts';
import { candidatesOf } from './candidates.ts';
import { htmlPage, openSite } from './site.ts';
import { openReceiver } from './webhooks.ts';
import { follow } from './workers.ts';

const document = JSON.parse(readFileSync(`${root}/openapi.json`, 'utf8')) as OpenApi;
const operations = new Map(operationsIn(document).map((one) => [one.id, one]));

export type World = Awaited<ReturnType<typeof openWorld>>;

/** In every text, so that a search finds all of them. */
const word = 'common';
/** The externalId of each resource. */
const mine = 'mine';

/** Longer than the shortest retention. */
const laterMs = 10 * dayMs;

/** An organisation with something of everything that a tool reads. All workers run. */
export async function openWorld() {
  // Pages at the addresses that the document has as examples, and a page that is too deep for the default of `maxDepth`.
  const site = await openSite(
    new Map([
      ['/', htmlPage('Home', word, ['/docs/a', '/docs/b', '/help'])],
      ['/docs/a', htmlPage('A', `${word} a`, ['/docs/old/x'])],
      ['/docs/b', htmlPage('B', `${word} b`)],
      ['/help', htmlPage('Help', `${word} help`)],
      ['/docs/old/x', htmlPage('X', `${word} x`, ['/docs/old/y'])],
      ['/docs/old/y', htmlPage('Y', `${word} y`, ['/docs/old/z'])],
      ['/docs/old/z', htmlPage('Z', `${word} z`)],
      ['/other', htmlPage('Other', `${word} other`)],
    ]),
  );
  onTestFinished(() => site.close());
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const api = await openApi((runtime) => ({ ...toLoopback(runtime), sleep: async () => {} }));
  const feed = await follow(api, workers);
  onTestFinished(() => feed.stop());

  const made = async (method: string, path: string, body?: Json): Promise<Json> => {
    const response = await api.call(method, path, body && { body });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.text}`);
    return response.data;
  };
  const project = `/projects/${await api.createProject({ externalId: mine })}`;
  const documents = `${project}/knowledge/documents`;
  await made('POST', `${project}/avatars`, { ...avatarBody, externalId: mine });
  for (const externalId of [mine, 'another'])
    await made('POST', documents, { title: externalId, externalId, content: `${word} ${externalId}` });
  const source = await made('POST', `${project}/knowledge/sources`, { type: 'site', url: site.url });
  const sourcePath = `${project}/knowledge/sources/${source.id}`;
  /** What others do later. A refresh also removes more than half of the documents, as a person or another program may. */
  const refresh = async () => {
    await reactivate();
    await api.call('POST', `${sourcePath}/refresh`, { body: { confirm: true } });
    await feed.settled();
  };
  /** In an archived project, and with a paused source, other tools change nothing. */
  const reactivate = async () => {
    await api.call('PATCH', project, { body: { status: 'active' } });
    await api.call('PATCH', sourcePath, { body: { paused: false } });
  };
  const reindex = async () => {
    await api.call('POST', `${project}/knowledge/reindex`);
    await feed.settled();
  };
  const deploy = () => made('POST', `${project}/deployments`, deploymentBody);
  await refresh();
  await reindex();
  for (const _ of [1, 2]) await deploy();
  const mood = { name: 'mood', kind: 'external', output: { type: 'category', values: ['good', 'bad'] } };
  for (const body of [mood, ruleBody]) await made('POST', `${project}/evaluators`, body);
  // A PUT with other fields is refused.
  const { path: other, body: started } = await sampleOf('conversations.put', api);
  // The tools would be used in its project.
  await made('DELETE', other.split('/').slice(0, 3).join('/'));
  const { conversation: stored } = await made(
    'PUT',
    `${project}/conversations/by-external-id/${mine}`,
    started,
  );
  const conversation = `${project}/conversations/${(stored as Json).id}`;
  const messages = [{ role: 'user', text: `${word} question` }];
  await made('POST', `${conversation}/messages`, { messages });
  await made('PUT', `${conversation}/scores/mood`, { value: 'good' });
  const webhook = await made('POST', '/webhooks', { url: receiver.url, eventTypes: ['project.deleted'] });
  await made('POST', `/webhooks/${webhook.id}/test`);
  await made('POST', '/workload-identities', identityBody);
  await feed.settled();
  return { api, feed, site, refresh, reindex, deploy, reactivate };
}

/** These lists only grow, or have numbers. */
const isLeftOut = ({ id }: Tool): boolean => /^(events|audit-events|usage)\./.test(id);

/** A read, and everything that it returns and that can be named: itself, and each entry of each list. */
export type Reads = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Reads everything that the tools can read. The lists say which ids there are.
 * @returns by path
 */
export async function readAll(api: TestApi): Promise<Reads> {
  const reads = new Map<string, Set<string>>();
  const listed = new Map<string, Json[]>();
  const reading = tools.filter((tool) => tool.method === 'GET' && !isLeftOut(tool));
  for (const tool of reading.sort((a, b) => a.path.length - b.path.length)) {
    for (const path of pathsOf(tool.path, listed)) {
      const read = await readPath(api, path + queryOf(tool));
      if (!read) continue;
      listed.set(path, read.items);
      reads.set(path + queryOf(tool), read.entries);
    }
  }
  return reads;
}

/** @returns the paths below lists that were read: `{avatar_id}` is each `id` of the list before it */
function pathsOf(template: string, listed: ReadonlyMap<string, Json[]>): string[] {
  const [before = '', ...rest] = template.split(/\/\{\w+\}/);
  return rest.reduce<string[]>(
    (paths, behind) =>
      paths.flatMap((path) =>
        (listed.get(path) ?? []).map(
          ({ id, name, version }) => `${path}/${encodeURIComponent(String(id ?? name ?? version))}${behind}`,
        ),
      ),
    [before],
  );
}

function queryOf({ id, query }: Tool): string {
  const limit = operations.get(id)?.query.find(({ name }) => name === 'limit');
  const { maximum } = (limit?.schema ?? {}) as { maximum?: number };
  const search = new URLSearchParams({
    ...(maximum !== undefined && { limit: String(maximum) }),
    ...(query.includes('q') && { q: word }),
  });
  return search.size > 0 ? `?${search}` : '';
}

/** @returns the entries of all pages; undefined if there is nothing at the path */
async function readPath({ call }: TestApi, path: string) {
  const entries = new Set<string>(['it']);
  const items: Json[] = [];
  for (let next = path; ; ) {
    const { status, data } = await call('GET', next);
    if (status !== 200) return undefined;
    for (const entry of entriesOf(data)) entries.add(entry);
    if (Array.isArray(data.items)) items.push(...(data.items as Json[]));
    if (typeof data.nextCursor !== 'string' || !Array.isArray(data.items)) return { entries, items };
    next = `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(data.nextCursor)}`;
  }
}

/** What names an entry of a list, from the most specific name. An entry without a name is a value. */
const names = ['id', 'documentId', 'conversationId', 'seq', 'version', 'name', 'url'] as const;

function entriesOf(value: unknown, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value))
    return Object.entries(value).flatMap(([key, one]) => entriesOf(one, `${place}.${key}`));
  return value.flatMap((one: unknown) => {
    const name = names.find((key) => typeof one === 'object' && one !== null && key in one);
    const own = name === undefined ? [] : [`${place} ${name} ${(one as Json)[name]}`];
    return [...own, ...entriesOf(one, place)];
  });
}

/** @returns what these reads no longer return, by path and entry */
async function goneFrom({ api }: Pick<World, 'api'>, reads: Reads): Promise<string[]> {
  const gone: string[] = [];
  for (const [path, before] of reads) {
    const now = (await readPath(api, path))?.entries ?? new Set();
    gone.push(...[...before].filter((entry) => !now.has(entry)).map((entry) => `${path}: ${entry}`));
  }
  return gone;
}

/** @returns what is gone at once, after two refreshes and a deployment, or some days later */
export async function goneLater(world: World, reads: Reads): Promise<string[]> {
  const { api, feed, refresh, reindex, deploy } = world;
  await feed.settled();
  const gone = await goneFrom(world, reads);
  // A page is gone if two refreshes find no link to it.
  for (const _ of [1, 2]) await refresh();
  await reindex();
  await deploy();
  gone.push(...(await goneFrom(world, reads)));
  api.advance(laterMs);
  gone.push(...(await goneFrom(world, reads)));
  api.advance(-laterMs);
  return [...new Set(gone)];
}

/** Parameters of paths that are no ids. */
const namesInPaths: Json = { external_id: mine, name: 'mood' };

/** Arguments that a schema cannot know. A document that is replaced is still found. */
const known = ({ site }: World): Json => ({
  environment: 'production',
  url: `${site.url}other`,
  content: `${word} content`,
});

/** The names and values of the arguments of a tool that are no part of its path, with those of its samples. */
export async function argumentsToTry(world: World, tool: Tool): Promise<[string, unknown[]][]> {
  const { body: sample = {}, otherBody = {} } = await sampleOf(tool.id, world.api);
  const operation = operations.get(tool.id);
  const body = operation?.body && resolveRef(document, operation.body.schema);
  const schemas: Record<string, Schema> = {
    ...Object.fromEntries((operation?.query ?? []).map(({ name, schema }) => [name, schema])),
    ...body?.properties,
  };
  return Object.keys(tool.properties).flatMap((name) => {
    const schema = schemas[name];
    if (!schema) return [];
    const sampled = [sample, otherBody].flatMap((one) => (name in one ? [one[name]] : []));
    if (name in known(world)) return [[name, [known(world)[name]]]];
    if (name === 'externalId' && tool.path.includes('{external_id}')) return [[name, [mine]]];
    return [[name, [...candidatesOf(document, schema), ...sampled]]];
  });
}

/** A tool with the arguments that its sample has. */
export async function useOf(world: World, reads: Reads, tool: Tool) {
  const { body = {} } = tool.method === 'PATCH' ? {} : await sampleOf(tool.id, world.api);
  let calls = 0;
  /** What a POST creates needs names of its own. */
  const own = () => {
    calls += 1;
    const more = {
      ...known(world),
      ...(tool.method === 'POST' && { name: `n${calls}`, externalId: `e${calls}` }),
    };
    return { ...body, ...Object.fromEntries(Object.entries(more).filter(([name]) => name in body)) };
  };
  const newOne = (place: Json) => ({ ...place, external_id: `p${calls}` });
  const places = placesOf(reads, tool);
  /** @returns whether a call with this argument was accepted, anywhere */
  return async (given: Json, allowDestructive: boolean): Promise<boolean> => {
    for (const place of places.flatMap((one) => [one, ...('external_id' in one ? [newOne(one)] : [])])) {
      const made = requestOf(tool, { ...own(), ...given, ...place }, { allowDestructive, key: undefined });
      if ('problem' in made) return false;
      const { method, path, body: text } = made.request;
      const response = await world.api.call(
        method,
        path,
        text === undefined ? {} : { body: JSON.parse(text) },
      );
      if (response.status < 300) return true;
    }
    return false;
  };
}

const isId = (text = ''): boolean => /^[a-z]+_[0-9A-Z]{26}$/.test(text);

/** The parameters of its path: each id that a read has in this place. */
function placesOf(reads: Reads, { path }: Tool): Json[] {
  const fixed = Object.fromEntries(
    Object.entries(namesInPaths).filter(([name]) => path.includes(`{${name}}`)),
  );
  const names = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in fixed));
  if (names.length === 0) return [fixed];
  const last = `{${names.at(-1)}}`;
  const segments = path.slice(0, path.indexOf(last) + last.length).split('/');
  // With the entries of lists, because not each has a read of its own.
  const paths = [...reads].flatMap(([read, entries]) => {
    const own = read.replace(/\?.*$/, '');
    return [
      own,
      ...[...entries]
        .flatMap((entry) => /^\.items id (\S+)$/.exec(entry)?.[1] ?? [])
        .map((id) => `${own}/${id}`),
    ];
  });
  const found = paths.flatMap((path) => {
    const own = path.split('/');
    const isBelow = segments.every((one, at) => (one.startsWith('{') ? isId(own[at]) : own[at] === one));
    const values = segments.flatMap((one, at) => (one.startsWith('{') ? [[one.slice(1, -1), own[at]]] : []));
    return isBelow ? [JSON.stringify(Object.fromEntries(values))] : [];
  });
  return [...new Set(found)].map((text) => ({ ...(JSON.parse(text) as Json), ...fixed }));
}
