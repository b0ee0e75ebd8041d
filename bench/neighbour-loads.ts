/**
 * For each worker: work of a tenant that fills its places at least twice, with large pieces, and a small piece of work of another
 * tenant.
 */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inBatches } from '../lib/base/batches.ts';
import type { Worker } from '../lib/workers/worker.ts';
import { hostilePdfs } from '../test/support/hostile-pdfs.ts';
import {
  avatarId,
  conversationFile,
  ended,
  forever,
  itemsOf,
  type Json,
  newProject,
  type Side,
  send,
  startImport,
  until,
  upload,
} from './neighbour-side.ts';

export type Neighbours = {
  /** The table shows them. `#` stands for twice the places. */
  load: string;
  piece: string;
  /** @returns a function that starts the load, and returns when it is under way */
  fill(busy: Side, count: number): Promise<() => Promise<unknown>>;
  /** @returns a function that does the piece, and returns when its result can be seen */
  prepare(quiet: Side): Promise<() => Promise<unknown>>;
};

/** Why nobody can measure a worker through the API within minutes, and the test that shows how its places become free. */
export type LeftOut = { because: string; instead: string };

const atOnce = 8;
const each = <Result>(count: number, act: (number: number) => Promise<Result>): Promise<Result[]> =>
  inBatches(
    Array.from({ length: count }, (_, number) => number),
    atOnce,
    act,
  );

const newName = () => `n${crypto.randomUUID().replaceAll('-', '')}`;

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const changes = {
  load: `${atOnce} callers that change a project without a pause`,
  fill: async (busy: Side) => async () => {
    for (let writer = 0; writer < atOnce; writer += 1)
      forever(busy, (round) => busy.call('PATCH', busy.project, { name: `${writer} ${round}` }));
  },
};

const imports = {
  load: '# files of 100 × 60 messages',
  async fill(busy: Side, count: number): Promise<() => Promise<unknown>> {
    const file = () => conversationFile(newName(), { conversations: 100, messages: 60 });
    return () => each(count, () => startImport(busy, file()));
  },
};

const filledWith = async (side: Side, size: Parameters<typeof conversationFile>[1]): Promise<void> =>
  ended(side, await startImport(side, conversationFile(newName(), size)));

const newConversation = async ({ call, project }: Side, texts: readonly string[] = ['hello']) => {
  const path = `${project}/conversations/${(await call('POST', `${project}/conversations`, { avatarId })).id}`;
  for (let at = 0; at < texts.length; at += 10) {
    const messages = texts.slice(at, at + 10).map((text) => ({ role: 'user', text }));
    await call('POST', `${path}/messages`, { messages });
  }
  return path;
};

/** @returns a function that starts a conversation with an avatar that answers */
async function answering({ call, project }: Side) {
  const { id } = await call('POST', `${project}/avatars`, {
    name: 'Clara',
    persona: { prompt: 'You help customers of a shop.' },
    model: { modelId: 'local.extract' },
  });
  await call('POST', `${project}/deployments`, { environment: 'production' });
  return async () => {
    const body = { avatarId: id };
    return `${project}/conversations/${(await call('POST', `${project}/conversations`, body)).id}`;
  };
}

const ask = ({ call }: Side, path: string) =>
  call('POST', `${path}/replies`, {
    input: { text: 'How long can I send something back?' },
    target: { environment: 'production' },
  });

const endOf = (side: Side, path: string) => side.call('POST', `${path}/end`, { reason: 'completed' });

/** A text that costs an expression as many steps as a rule may take. */
const slowText = Array.from({ length: 16_000 }, (_, at) => 'xy'[(at * 7919 + (at >> 3)) % 2]).join('');
const slowRules = async ({ call, project }: Side, count: number) =>
  each(count, (number) =>
    call('POST', `${project}/evaluators`, {
      name: `slow${number}`,
      kind: 'rule',
      rule: { matches: 'x[xy]{40}[wa]' },
    }),
  );
const shortRule = { name: 'short', kind: 'rule', rule: { messages: { lte: 5 } } };

const inNewProject = async (side: Side): Promise<Side> => ({ ...side, project: await newProject(side) });

const startJob = async ({ call, project }: Side, path: string, body: Json = {}) =>
  `${project}/jobs/${(await call('POST', `${project}${path}`, body)).id}`;
const runJob = async (side: Side, path: string, body: Json = {}) =>
  ended(side, await startJob(side, path, body));

const newDocument = ({ call, project }: Side, content: string) =>
  call('POST', `${project}/knowledge/documents`, { title: newName(), content });

const eventOf = (side: Side, resourceId: unknown, type: string) =>
  until(
    async () => itemsOf(await side.call('GET', `/events?type=${type}&resourceId=${resourceId}`)).length > 0,
  );

const idOf = (path: string) => path.split('/').at(-1);

/** A key that has created others. */
async function newFamily(side: Side, children: number) {
  const keyBody = { name: 'k', scopes: ['api-keys:read', 'api-keys:write'] };
  const { id, secret } = await side.call('POST', '/api-keys', keyBody);
  const made = await each(children, () => side.call('POST', '/api-keys', keyBody, String(secret)));
  return { path: `/api-keys/${id}`, child: String(made[0]?.secret) };
}

const projectEvents = { eventTypes: ['project.updated'] };
const hang: RequestListener = () => {};
/** Answers its first page, with links to pages that hang. */
const hangingSite: RequestListener = (request, response) => {
  if (request.url !== '/') return;
  const links = Array.from({ length: 10 }, (_, at) => `<a href="/${at}">a page</a>`).join(' ');
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<main><h1>Home</h1><p>${links}</p></main>`);
};
const newSource = async ({ call, project }: Side, url: string) =>
  `/knowledge/sources/${(await call('POST', `${project}/knowledge/sources`, { type: 'site', url })).id}/refresh`;

const slowPdf = hostilePdfs.find(({ name }) => name === 'thirty forms that double');

export const neighbours: Readonly<Record<Worker['id'], Neighbours | LeftOut>> = {
  'audit-writer': {
    ...changes,
    piece: 'event of a new project',
    prepare: async (quiet) => async () => {
      const [, , id] = (await newProject(quiet)).split('/');
      await until(async () => itemsOf(await quiet.call('GET', `/audit-events?resourceId=${id}`)).length > 0);
    },
  },
  'conversation-counter': {
    ...imports,
    piece: 'count of a conversation',
    async prepare(given) {
      const quiet = await inNewProject(given);
      return async () => {
        await newConversation(quiet, []);
        const path = `${quiet.project}/conversations/stats`;
        const counted = async () => (await quiet.call('GET', path)).totals as { conversations: number };
        await until(async () => (await counted()).conversations > 0);
      };
    },
  },
  'conversation-eraser': {
    load: '# deletions of conversations of 50 messages',
    piece: 'deletion of a conversation',
    async fill(busy, count) {
      await filledWith(busy, { conversations: 2 * count, messages: 50 });
      const { items } = await busy.call('GET', `${busy.project}/conversations?limit=100`);
      const own = items as Json[];
      return () =>
        each(own.length, (at) => busy.call('DELETE', `${busy.project}/conversations/${own[at]?.id}`));
    },
    async prepare(quiet) {
      const path = await newConversation(quiet);
      return async () => {
        await quiet.call('DELETE', path);
        await eventOf(quiet, idOf(path), 'conversation.erased');
      };
    },
  },
  'conversation-evaluator': {
    load: '# ends of 20 × 16 000 characters, with 50 rules',
    piece: 'score of a conversation',
    async fill(busy, count) {
      await slowRules(busy, 50);
      const paths = await each(count, () => newConversation(busy, Array(20).fill(slowText)));
      return () => each(paths.length, (at) => endOf(busy, paths[at] ?? ''));
    },
    async prepare(given) {
      const quiet = await inNewProject(given);
      await quiet.call('POST', `${quiet.project}/evaluators`, shortRule);
      const path = await newConversation(quiet);
      return async () => {
        await endOf(quiet, path);
        await until(async () => itemsOf(await quiet.call('GET', `${path}/scores`)).length > 0);
      };
    },
  },
  'conversation-reindexer': {
    load: '# re-indexes of 20 × 10 messages',
    piece: 're-index of a conversation',
    async fill(busy, count) {
      const sides = await each(count, async () => {
        const side = await inNewProject(busy);
        await filledWith(side, { conversations: 20, messages: 10 });
        return side;
      });
      return async () => {
        for (const side of sides) forever(side, () => runJob(side, '/conversations/reindex'));
      };
    },
    async prepare(given) {
      const quiet = await inNewProject(given);
      await newConversation(quiet);
      return () => runJob(quiet, '/conversations/reindex');
    },
  },
  'conversation-sweeper': {
    because: 'its work is due an hour after a conversation',
    instead: 'test/lib/workers/handler.test.ts',
  },
  'evaluation-runner': {
    load: '# runs over 20 × 16 000 characters, with 4 rules',
    piece: 'run over a conversation',
    async fill(busy, count) {
      const sides = await each(count, async () => {
        const side = await inNewProject(busy);
        await newConversation(side, Array(20).fill(slowText));
        await slowRules(side, 4);
        return side;
      });
      return () => each(count, async (at) => startJob(sides[at] ?? busy, '/evaluation-runs'));
    },
    async prepare(given) {
      const quiet = await inNewProject(given);
      await newConversation(quiet);
      await quiet.call('POST', `${quiet.project}/evaluators`, shortRule);
      return () => runJob(quiet, '/evaluation-runs');
    },
  },
  'event-writer': {
    ...changes,
    piece: 'event of a new project',
    prepare: async (quiet) => async () => {
      const [, , id] = (await newProject(quiet)).split('/');
      await eventOf(quiet, id, 'project.created');
    },
  },
  'export-remover': {
    load: '# deletions of exported documents',
    piece: 'deletion of an exported document',
    async fill(busy, count) {
      const documents = await each(2 * count, () => newDocument(busy, 'a text'));
      await each(count, () => runJob(busy, '/exports', { what: 'documents' }));
      const path = `${busy.project}/knowledge/documents`;
      return () => each(documents.length, (at) => busy.call('DELETE', `${path}/${documents[at]?.id}`));
    },
    async prepare(given) {
      const quiet = await inNewProject(given);
      const { id } = await newDocument(quiet, 'a text');
      const job = await startJob(quiet, '/exports', { what: 'documents' });
      await ended(quiet, job);
      const { parts = [] } = (await quiet.call('GET', job.replace('/jobs/', '/exports/'))) as {
        parts?: { url: string }[];
      };
      const url = parts[0]?.url ?? '';
      return async () => {
        await quiet.call('DELETE', `${quiet.project}/knowledge/documents/${id}`);
        await until(async () => !(await fetch(url)).ok);
      };
    },
  },
  exporter: {
    load: '# exports of 100 × 60 messages',
    piece: 'export of a document',
    async fill(busy, count) {
      await filledWith(busy, { conversations: 100, messages: 60 });
      return async () => {
        for (let at = 0; at < count; at += 1)
          forever(busy, () => runJob(busy, '/exports', { what: 'conversations' }));
      };
    },
    async prepare(given) {
      const quiet = await inNewProject(given);
      await newDocument(quiet, 'a text');
      return () => runJob(quiet, '/exports', { what: 'documents' });
    },
  },
  importer: {
    ...imports,
    piece: 'import of a conversation',
    prepare: async (quiet) => async () =>
      ended(quiet, await startImport(quiet, conversationFile(newName(), { conversations: 1, messages: 2 }))),
  },
  'key-limiter': {
    load: '# changed limits of keys with 10 children',
    piece: 'changed limit of a key with a child',
    async fill(busy, count) {
      const families = await each(count, () => newFamily(busy, 10));
      return async () => {
        for (const { path } of families)
          forever(busy, (round) =>
            busy.call('PATCH', path, { rateLimit: { requests: 1000 + round, per: '1s' } }),
          );
      };
    },
    async prepare(quiet) {
      const { path, child } = await newFamily(quiet, 1);
      return async () => {
        await quiet.call('PATCH', path, { rateLimit: { requests: 777, per: '1s' } });
        await until(async () => {
          const { headers } = await send(quiet, { method: 'GET', path: '/api-keys/me', key: child });
          return headers.get('RateLimit-Policy')?.includes('q=777') ?? false;
        });
      };
    },
  },
  'key-revoker': {
    load: '# revocations of keys with 10 children',
    piece: 'revocation of a key with a child',
    async fill(busy, count) {
      const families = await each(count, () => newFamily(busy, 10));
      return () => each(count, (at) => busy.call('DELETE', `${families[at]?.path}?children=true`));
    },
    async prepare(quiet) {
      const { path, child } = await newFamily(quiet, 1);
      return async () => {
        await quiet.call('DELETE', `${path}?children=true`);
        await until(async () => !(await send(quiet, { method: 'GET', path: '/api-keys/me', key: child })).ok);
      };
    },
  },
  'knowledge-extractor': {
    load: '# PDFs that take a minute',
    piece: 'text of a file',
    async fill(busy, count) {
      const pdf = Buffer.from(slowPdf?.make() ?? []);
      const uploads = await each(count, () => upload(busy, pdf, 'knowledge'));
      const path = `${busy.project}/knowledge/documents`;
      return () => each(count, (at) => busy.call('POST', path, { title: newName(), uploadId: uploads[at] }));
    },
    async prepare(quiet) {
      const uploadId = await upload(quiet, Buffer.from('a text'), 'knowledge');
      const path = `${quiet.project}/knowledge/documents`;
      return async () => {
        const { id } = await quiet.call('POST', path, { title: newName(), uploadId });
        await until(async () => (await quiet.call('GET', `${path}/${id}`)).extraction !== 'pending');
      };
    },
  },
  'knowledge-indexer': {
    load: '# re-indexes of 25 documents of 8 KB',
    piece: 're-index of a document',
    async fill(busy, count) {
      const sides = await each(count, async (number) => {
        const side = await inNewProject(busy);
        const documents = Array.from({ length: 25 }, (_, at) => ({
          externalId: `${at}`,
          title: `${at}`,
          content: Array.from({ length: 1200 }, (_, word) => `w${(word * at * number) % 977}`).join(' '),
        }));
        await side.call('POST', `${side.project}/knowledge/documents/batch`, { documents });
        return side;
      });
      return () => each(count, async (at) => startJob(sides[at] ?? busy, '/knowledge/reindex'));
    },
    async prepare(given) {
      const quiet = await inNewProject(given);
      await newDocument(quiet, 'a text');
      return () => runJob(quiet, '/knowledge/reindex');
    },
  },
  'environment-remover': {
    because: 'nobody waits for an index to be let go',
    instead: 'test/promises/turns.test.ts',
  },
  'message-indexer': {
    ...imports,
    piece: 'search for a new message',
    prepare: async (quiet) => async () => {
      const word = newName();
      await newConversation(quiet, [word]);
      const path = `${quiet.project}/conversations/search?q=${word}`;
      await until(async () => itemsOf(await quiet.call('GET', path)).length > 0);
    },
  },
  'organisation-resumer': {
    because: 'only operators suspend and resume organisations',
    instead: 'test/lib/workers/suspension.test.ts',
  },
  'project-purger': {
    because: 'its work is due a week after the deletion of a project',
    instead: 'test/promises/erasure-of-projects.test.ts',
  },
  'reply-runner': {
    load: '# replies at the same time',
    piece: 'reply in a new conversation',
    async fill(busy, count) {
      const open = await answering(busy);
      const paths = await each(count, open);
      return () => each(count, (at) => ask(busy, paths[at] ?? ''));
    },
    async prepare(given) {
      const quiet = await inNewProject(given);
      const open = await answering(quiet);
      return async () => {
        const path = await open();
        const { id } = await ask(quiet, path);
        await until(async () => (await quiet.call('GET', `${path}/replies/${id}`)).status === 'done');
      };
    },
  },
  'retention-rewriter': {
    because: 'nobody can see what it has not changed yet',
    instead: 'test/lib/conversations/retention.test.ts',
  },
  'rollout-mover': {
    because: 'its work is due a minute or more after the start of a step, and it reads a few items',
    instead: 'test/lib/rollouts/guards-decide.test.ts',
  },
  'source-refresher': {
    load: '# sites that answer `/` and then hang',
    piece: 'refresh of a page',
    async fill(busy, count) {
      const sources = await each(count, async () => newSource(busy, await serve(hangingSite)));
      return () => each(count, (at) => busy.call('POST', `${busy.project}${sources[at]}`, {}));
    },
    async prepare(quiet) {
      const url = await serve((_, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<main><h1>One</h1><p>A page.</p></main>'),
      );
      const source = await newSource(quiet, url);
      return () => runJob(quiet, source);
    },
  },
  'usage-counter': {
    ...imports,
    piece: 'count of a conversation of the day',
    async prepare(quiet) {
      const count = async () => (await quiet.call('GET', '/usage/days')).totals as { conversations: number };
      return async () => {
        const before = (await count()).conversations;
        await newConversation(quiet, []);
        await until(async () => (await count()).conversations > before);
      };
    },
  },
  'user-eraser': {
    load: '# erasures of users with 2 × 50 messages',
    piece: 'erasure of a user',
    async fill(busy, count) {
      await filledWith(busy, { conversations: 2 * count, messages: 50 });
      return () =>
        each(count, (at) => startJob(busy, '/conversations/erase', { externalUserId: `user-${at}` }));
    },
    async prepare(quiet) {
      await filledWith(quiet, { conversations: 1, messages: 2 });
      return () => runJob(quiet, '/conversations/erase', { externalUserId: 'user-0' });
    },
  },
  'webhook-keeper': {
    load: '# recoveries',
    piece: 'recovery of a webhook',
    async fill(busy, count) {
      const since = new Date().toISOString();
      const url = await serve(hang);
      const webhooks = await each(count, () => busy.call('POST', '/webhooks', { url, ...projectEvents }));
      await each(50, (number) => busy.call('PATCH', busy.project, { name: `${number}` }));
      return async () => {
        for (const { id } of webhooks) {
          forever(busy, async () => {
            await busy.call('POST', `/webhooks/${id}/recover`, { since });
            await recovered(busy, id);
          });
        }
      };
    },
    async prepare(quiet) {
      const url = await serve((_, response) => response.end());
      const { id } = await quiet.call('POST', '/webhooks', { url, ...projectEvents });
      return async () => {
        await quiet.call('POST', `/webhooks/${id}/recover`, {
          since: new Date(Date.now() - 1000).toISOString(),
        });
        await recovered(quiet, id);
        await quiet.call('DELETE', `/webhooks/${id}`);
      };
    },
  },
  'webhook-sender': {
    load: '# receivers that hang, and changes without a pause',
    piece: 'test of a webhook',
    async fill(busy, count) {
      const url = await serve(hang);
      await each(count, () => busy.call('POST', '/webhooks', { url, ...projectEvents }));
      return changes.fill(busy);
    },
    async prepare(quiet) {
      const received = Promise.withResolvers<void>();
      const url = await serve((_, response) => {
        response.end();
        received.resolve();
      });
      const { id } = await quiet.call('POST', '/webhooks', { url, ...projectEvents });
      return async () => {
        await quiet.call('POST', `/webhooks/${id}/test`);
        await received.promise;
        await quiet.call('DELETE', `/webhooks/${id}`);
      };
    },
  },
};

const recovered = ({ call }: Side, id: unknown) =>
  until(async () => {
    const { recovery } = await call('GET', `/webhooks/${id}`);
    return (recovery as { finishedAt: unknown } | null)?.finishedAt != null;
  });
