/**
 * An agent that uses nothing but tools, and that is killed at random points: its process, over stdio, or its call, over HTTP. It
 * begins again with the same keys each time. In the end, everything exists once.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Platform } from '../../clients/typescript/src/index.ts';
import { useCli } from '../support/cli.ts';
import { type DevServer, startDevServer } from '../support/dev-server.ts';
import { connectHttp, connectStdio, dataOf, revisions, storyOfTools } from '../support/mcp.ts';

const cli = useCli();
let server: DevServer;
beforeAll(async () => {
  server = await startDevServer();
});
afterAll(() => server?.stop());

/** What exists in the end. It is read with the client, so that a fault of the tools does not hide itself. */
async function expectOnce(
  api: { baseUrl: string; apiKey: string },
  run: string,
  { projectId, deploymentId, conversation_id, transcript }: Awaited<ReturnType<typeof storyOfTools>>,
): Promise<void> {
  const platform = new Platform(api);
  const named: string[] = [];
  for await (const { id, name } of platform.projects.list({ limit: 100 })) if (name === run) named.push(id);
  expect(named).toEqual([projectId]);
  const project = platform.projects(projectId);
  const all = async <Item>(list: AsyncIterable<Item>) => {
    const items: Item[] = [];
    for await (const item of list) items.push(item);
    return items;
  };
  expect(await all(project.avatars.list())).toMatchObject([{ name: 'Ada', version: 1 }]);
  const documents = await all(project.knowledge.documents.list());
  expect(documents.map(({ externalId }) => externalId).sort()).toEqual(['delivery', 'payment', 'returns']);
  expect(await all(project.deployments.list())).toMatchObject([{ id: deploymentId, phase: 'current' }]);
  expect(await all(project.conversations.list())).toMatchObject([{ id: conversation_id, messageCount: 2 }]);
  const texts = (await all(project.conversations.messages(String(conversation_id)))).map(({ text }) => text);
  expect(texts).toEqual(['Where is my parcel?', 'On its way.']);
  for (const text of texts) expect(JSON.stringify(transcript)).toContain(text);
}

// Only the form of the messages differs between the revisions, and test/promises/mcp-conformance.test.ts checks both.
const [older, newest] = revisions;
describe('an agent of the newest revision', () => exactlyOnce(newest, 'long', 5));
describe('an agent of the older revision', () => exactlyOnce(older, 'nightly', 12));

/** @param kills how often the process of the agent is killed */
function exactlyOnce(revision: (typeof revisions)[number], tag: 'long' | 'nightly', kills: number) {
  test('over stdio, its process is killed', { tags: [tag] }, async () => {
    const run = `killed over stdio ${revision}`;
    const env = {
      PLATFORM_BASE_URL: cli.service.baseUrl,
      PLATFORM_API_KEY: cli.service.apiKey,
      HOME: cli.home,
    };
    let killed = 0;
    /** A story is killed before the time that the last whole story took: to begin again is faster than to begin. */
    let wholeMs = 0;
    /** @returns what the story has made; undefined if the process was killed before its end */
    async function attempt(name: string, isKilled: boolean) {
      const { client, kill } = await connectStdio([process.execPath, cli.file, 'mcp'], env, revision);
      const ended = new AbortController();
      if (isKilled) sleep(Math.random() * wholeMs, undefined, { signal: ended.signal }).then(kill, () => {});
      const begun = performance.now();
      try {
        const made = await storyOfTools((tool, args) => dataOf(client, tool, args), name);
        wholeMs = performance.now() - begun;
        return made;
      } catch (error) {
        // Only a killed process excuses an error.
        if (!isKilled || client.transport !== undefined) throw error;
        killed += 1;
        return undefined;
      } finally {
        ended.abort();
        await client.close();
      }
    }
    await attempt(`${run}, whole`, false);
    for (let number = 1; number <= kills; number += 1) await attempt(run, true);
    const made = await attempt(run, false);
    if (!made) throw new Error('the last attempt was not killed');
    expect(killed).toBeGreaterThan(0);
    await expectOnce(cli.service, run, made);
  });

  test('over HTTP, its calls are cut off', { tags: [tag] }, async () => {
    const run = `killed over HTTP ${revision}`;
    let cutMs = Number.POSITIVE_INFINITY;
    let cuts = 0;
    /** Cuts the connection after a random time, whatever the server does meanwhile. */
    const fetchCut: typeof fetch = async (url, init) => {
      if (cutMs === Number.POSITIVE_INFINITY) return fetch(url, init);
      const limit = AbortSignal.timeout(Math.random() * cutMs);
      const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
      const response = await fetch(url, { ...init, signal });
      return new Response(await response.text(), response);
    };
    const { client } = await connectHttp(`${server.baseUrl}/mcp`, server.apiKey, {
      fetch: fetchCut,
      revision,
    });
    const use = async (name: string, args: object) => {
      for (let number = 1; ; number += 1) {
        // The last tries are not cut, so that the story ends.
        cutMs = number <= 3 ? 60 : Number.POSITIVE_INFINITY;
        try {
          return await dataOf(client, name, args);
        } catch (error) {
          if (cutMs === Number.POSITIVE_INFINITY) throw error;
          cuts += 1;
        }
      }
    };
    const first = await storyOfTools(use, run);
    const second = await storyOfTools(use, run);
    await client.close();
    expect(cuts).toBeGreaterThan(0);
    expect({ ...second, transcript: undefined }).toEqual({ ...first, transcript: undefined });
    await expectOnce(server, run, second);
  });
}
