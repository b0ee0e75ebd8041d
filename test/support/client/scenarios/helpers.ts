/** The helpers: jobs, conversations, synchronisation. */

import type { Message, SyncDocument, SyncEvent, SyncText } from '../../../../clients/typescript/src/index.ts';
import { type Context, collect, equal, ok, rejection, type Scenarios, sleep, success } from '../scenario.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

/** A conversation, and what adds numbered messages to it. */
async function conversation({ newProject }: Context) {
  const { project } = await newProject();
  const { id } = await project.conversations.create({ avatarId });
  let count = 0;
  const add = async (many: number) => {
    const messages = Array.from({ length: many }, () => ({ role: 'user' as const, text: `${++count}` }));
    await project.conversations.append(id, { messages });
  };
  return { project, id, add, end: () => project.conversations.end(id, { reason: 'completed' }) };
}

const numbers = (messages: readonly Message[]) => messages.map(({ seq, text }) => `${seq} ${text}`);
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index} ${first + index}`);

const handbook = (names: readonly string[]): SyncText[] =>
  names.map((externalId) => ({
    externalId,
    title: externalId,
    content: `# ${externalId}`,
    mimeType: 'text/markdown',
  }));

/** A client whose requests are counted as `PUT` and so on. */
function counting({ client, origin, apiKey }: Context) {
  const methods: string[] = [];
  const onRequest = ({ method }: { method: string }) => void methods.push(method);
  const platform = new client.Platform({ apiKey, baseUrl: `${origin}/api/v1`, onRequest });
  return { platform, count: (method: string) => methods.splice(0).filter((one) => one === method).length };
}

export const helpers: Scenarios = {
  'messages yields what is stored, from a given seq': async (context) => {
    const { project, id, add } = await conversation(context);
    equal(await collect(project.conversations.messages(id)), []);
    for (let count = 0; count < 5; count += 1) await add(25);
    equal(numbers(await collect(project.conversations.messages(id))), upTo(125));
    equal(numbers(await collect(project.conversations.messages(id, { afterSeq: 120 }))), upTo(125, 121));
  },

  'follow yields each message once until the end, with faults and a restart of the server': async (
    context,
  ) => {
    const { project, id, add, end } = await conversation(context);
    await add(3);
    const followed = collect(project.conversations.follow(id, { timeoutMs: 1000 }));
    await context.control('faults', { rate: 0.4, seed: 23 });
    for (let count = 0; count < 6; count += 1) {
      await add(2);
      if (count === 3) await context.control('restart', { ms: 800 });
    }
    await end();
    equal(numbers(await followed), upTo(15));
    await context.control('faults');
  },

  'follow continues after a given seq, and ends with break or a signal': async (context) => {
    const { project, id, add, end } = await conversation(context);
    await add(5);
    const first: Message[] = [];
    for await (const message of project.conversations.follow(id)) {
      first.push(message);
      if (message.seq === 3) break;
    }
    const controller = new AbortController();
    const rest: Message[] = [];
    const aborted = await rejection(async () => {
      const options = { afterSeq: first.at(-1)?.seq, signal: controller.signal };
      for await (const message of project.conversations.follow(id, options)) {
        rest.push(message);
        if (message.seq === 5) setTimeout(() => controller.abort(), 100);
      }
    });
    equal(aborted.name, 'AbortError');
    await add(1);
    await end();
    const last = await collect(project.conversations.follow(id, { afterSeq: rest.at(-1)?.seq }));
    equal(numbers([...first, ...rest, ...last]), upTo(6));
  },

  'follow waits shorter behind a proxy that cuts long requests, and pauses when the server does not wait':
    async ({ client, origin }) => {
      const waits: string[] = [];
      const times: number[] = [];
      const platform = new client.Platform({
        apiKey: 'a',
        baseUrl: `${origin}/api/v1`,
        fetch: async (url) => {
          const seconds = new URL(url).searchParams.get('waitSeconds') ?? '';
          waits.push(seconds);
          times.push(Date.now());
          if (Number(seconds) > 5) throw new TypeError('cut');
          const isLast = waits.length > 3;
          const data = { messages: [], nextAfterSeq: 0, final: isLast };
          return success(data, 200, { 'Retry-After': '1' });
        },
      });
      equal(await collect(platform.projects('p').conversations.follow('c')), []);
      equal(waits.slice(0, 4), ['20', '10', '5', '20']);
      ok((times[3] ?? 0) - (times[2] ?? 0) >= 900, 'it pauses');
    },

  'replies.follow yields the text as it is written, each part once, until the end of the reply': async ({
    client,
    origin,
  }) => {
    const written = 'It is written.';
    const afters: number[] = [];
    const platform = new client.Platform({
      apiKey: 'a',
      baseUrl: `${origin}/api/v1`,
      fetch: async (url) => {
        const after = Number(new URL(url).searchParams.get('after'));
        afters.push(after);
        if (afters.length === 2) throw new TypeError('lost');
        const until = [3, 3, 6, 6, 14][afters.length - 1] ?? 14;
        const isLast = until === 14;
        const status = isLast ? 'done' : 'running';
        const data = { status, text: written.slice(after, until), nextAfter: until };
        return success(data, 200, isLast ? {} : { 'Retry-After': '1' });
      },
    });
    const parts = await collect(platform.projects('p').replies.follow('c', 'r', { after: 1 }));
    equal(
      parts.map(({ status, text }) => [status, text]),
      [
        ['running', 't '],
        ['running', 'is '],
        ['done', 'written.'],
      ],
    );
    equal(afters, [1, 3, 3, 6, 6]);
  },

  'jobs.wait returns the ended job, with its result or its failure': async (context) => {
    const { newProject, control, client } = context;
    const { id, project } = await newProject();
    await project.knowledge.documents.create({ title: 'a', content: 'a' });
    const seen: string[] = [];
    const job = await project.knowledge.reindex();
    await control('faults', { rate: 0.3, seed: 2 });
    const waiting = project.jobs.wait(job, {
      timeoutMs: 1000,
      onProgress: ({ status }) => void seen.push(status),
    });
    await control('work', { project: id, job: job.id });
    const ended = await waiting;
    await control('faults');
    ok(ended.status === 'succeeded' && ended.type === 'knowledge.reindex', ended.status);
    equal([ended.result.documents, seen.at(-1)], [1, 'succeeded']);
    equal((await project.jobs.waitForSuccess(job.id)).id, job.id);

    const cancelled = await project.knowledge.reindex();
    await project.jobs.cancel(cancelled.id);
    equal((await project.jobs.wait(Promise.resolve(cancelled))).status, 'cancelled');
    const error = await rejection(project.jobs.waitForSuccess(cancelled));
    ok(error instanceof client.JobFailedError && error.job.status === 'cancelled', error.message);
  },

  'jobs.wait has a deadline for the whole wait, and can be aborted': async ({
    newProject,
    client,
    origin,
  }) => {
    const { project } = await newProject();
    const job = await project.knowledge.reindex();
    const startMs = Date.now();
    const late = await rejection(project.jobs.wait(job, { deadlineMs: 2500 }));
    ok(
      late instanceof client.TimeoutError && /has not ended within 2500 ms/.test(late.message),
      late.message,
    );
    ok(Date.now() - startMs >= 2400, 'it waits until then');
    const signal = AbortSignal.timeout(100);
    equal((await rejection(project.jobs.wait(job, { signal }))).name, 'TimeoutError');
    ok(signal.aborted, 'by the signal');
    // Timers count whole milliseconds, so those of a request may fire just before the deadline.
    const fetch = () => new Promise<Response>(() => {});
    const silent = new client.Platform({ apiKey: 'a', baseUrl: `${origin}/api/v1`, fetch, maxRetries: 0 });
    for (let time = 0; time < 40; time += 1) {
      const { message } = await rejection(silent.projects('p').jobs.wait('job_1', { deadlineMs: 5 }));
      equal(message, 'The job job_1 has not ended within 5 ms.');
    }
  },

  'jobs.wait asks again soon if a response stalls, although the server may wait long': async ({
    client,
    origin,
  }) => {
    let requests = 0;
    const platform = new client.Platform({
      apiKey: 'a',
      baseUrl: `${origin}/api/v1`,
      timeoutMs: 200,
      fetch: async () => {
        requests += 1;
        return requests > 1
          ? success({ id: 'job_1', finishedAt: 'now' })
          : new Response(new ReadableStream());
      },
    });
    const startMs = Date.now();
    equal((await platform.projects('p').jobs.wait('job_1')).id, 'job_1');
    ok(Date.now() - startMs < 15_000, 'it does not wait for 20 seconds');
  },

  'a failed job is a result with its error, and JobFailedError shows it': async ({ client, origin }) => {
    const error = { code: 'too_much_text', message: 'Too much text.' };
    const job = {
      id: 'job_1',
      type: 'knowledge.reindex',
      status: 'failed',
      error,
      result: null,
      finishedAt: 'now',
    };
    const platform = new client.Platform({
      apiKey: 'a',
      baseUrl: `${origin}/api/v1`,
      fetch: async () => success(job),
    });
    const { jobs } = platform.projects('p');
    const ended = await jobs.wait('job_1');
    ok(ended.status === 'failed', ended.status);
    equal(ended.error.code, 'too_much_text');
    ok(
      /too_much_text/.test((await rejection(jobs.waitForSuccess('job_1'))).message),
      'the message has the code',
    );
  },

  'sync sends only what changed, several at once, and deletes with prune': async (context) => {
    const { id } = await context.newProject();
    const { platform, count } = counting(context);
    const project = platform.projects(id);
    const names = Array.from({ length: 12 }, (_, index) => `pages/${index}.md`);
    const documents = handbook(names);
    const sync = (all: SyncDocument[], options = {}) =>
      project.knowledge.sync({ source: 'handbook', documents: all, ...options });
    const none = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: [], notes: [] };
    await project.knowledge.documents.put('other.md', { title: 'a', content: 'a', source: 'other' });
    await project.knowledge.documents.create({
      title: 'without externalId',
      content: 'a',
      source: 'handbook',
    });

    count('PUT');
    const events: SyncEvent[] = [];
    equal(await sync(documents, { onProgress: (event: SyncEvent) => void events.push(event) }), {
      ...none,
      created: 12,
    });
    equal(count('PUT'), 12);
    equal(events.map(({ done, total, outcome }) => `${done}/${total} ${outcome}`)[11], '12/12 created');
    equal(await sync(documents), { ...none, unchanged: 12 });
    // Without prune, nothing is deleted.
    equal(await sync(documents.slice(1)), { ...none, unchanged: 11 });
    equal(count('PUT'), 0);

    const [first, second, third, fourth] = documents;
    ok(first && second && third && fourth, 'four documents');
    const changed = [
      { ...first, content: 'new' },
      { ...second, title: 'new' },
      { ...third, tags: ['b', 'a'] },
      { ...fourth, metadata: { a: '1', b: '2' } },
      ...documents.slice(4, 10),
    ];
    equal(await sync(changed, { prune: true, dryRun: true }), {
      ...none,
      updated: 4,
      unchanged: 6,
      deleted: 2,
    });
    equal(count('PUT'), 0);
    equal(await sync(changed, { prune: true }), { ...none, updated: 4, unchanged: 6, deleted: 2 });
    equal(count('PATCH'), 4);
    const reordered = changed.map((one) => ({
      ...one,
      ...(one.tags && { tags: ['a', 'b'] }),
      ...(one.metadata && { metadata: { b: '2', a: '1' } }),
    }));
    equal(await sync(reordered), { ...none, unchanged: 10 });
    const all = await collect(project.knowledge.documents.list({ limit: 100 }));
    equal(all.length, 12);
  },

  'sync keeps what a document leaves out, and names the fields that change': async ({ newProject }) => {
    const { project } = await newProject();
    const [page] = handbook(['a.md']);
    ok(page, 'a document');
    const changed: string[] = [];
    const onProgress = ({ outcome, fields }: SyncEvent) => void changed.push([outcome, ...fields].join(' '));
    const sync = (document: SyncDocument, options = {}) =>
      project.knowledge.sync({ source: 's', documents: [document], onProgress, ...options });
    await sync({ ...page, tags: ['shop'], metadata: { a: '1' } });
    await sync(page);
    await sync({ ...page, title: 'new', content: 'new' }, { dryRun: true });
    await sync({ ...page, title: 'new', content: 'new' });
    await sync({ ...page, title: 'new', content: 'new', tags: [] }, { dryRun: true });
    equal(changed, [
      'created',
      'unchanged',
      'updated title content',
      'updated title content',
      'updated tags',
    ]);
    const [stored] = await collect(project.knowledge.documents.list({ source: 's' }));
    equal([stored?.title, stored?.tags, stored?.metadata], ['new', ['shop'], { a: '1' }]);
    await sync({ ...page, title: 'new', content: 'new', tags: [] });
    equal((await collect(project.knowledge.documents.list({ source: 's' })))[0]?.tags, []);
  },

  'sync lists the documents that the API refuses, and goes on': async ({ newProject }) => {
    const { project } = await newProject();
    const documents = [
      ...handbook(['a.md']),
      { externalId: 'b.md', title: 'b', content: '' },
      ...handbook(['c.md']),
    ];
    const { created, failed } = await project.knowledge.sync({ source: 's', documents });
    equal(
      [created, failed.map(({ externalId, error }) => `${externalId} ${error.name}`)],
      [2, ['b.md ValidationError']],
    );
  },

  'sync stops at what concerns all documents, and before it deletes everything': async ({
    newProject,
    client,
    platform,
  }) => {
    const { id, project } = await newProject();
    await project.knowledge.documents.put('a.md', { title: 'a', content: 'a', source: 's' });
    const empty = await rejection(project.knowledge.sync({ source: 's', documents: [], prune: true }));
    ok(/no documents/.test(empty.message), empty.message);
    const twice = await rejection(
      project.knowledge.sync({ source: 's', documents: handbook(['b.md', 'b.md']), prune: true }),
    );
    ok(/Two documents/.test(twice.message), twice.message);
    ok(
      (await collect(project.knowledge.documents.list())).some(({ externalId }) => externalId === 'a.md'),
      'it is still there',
    );
    await platform.projects.update(id, { status: 'archived' });
    const archived = await rejection(
      project.knowledge.sync({ source: 's', documents: handbook(['c.md', 'd.md']) }),
    );
    ok(archived instanceof client.ProjectArchivedError, archived.message);
  },

  'sync makes the source equal with faults, and when two run at the same time': async ({
    newProject,
    control,
  }) => {
    const { project } = await newProject();
    const names = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `${from + index}.md`);
    const sync = (all: string[]) =>
      project.knowledge.sync({ source: 's', documents: handbook(all), prune: true, concurrency: 6 });
    await sync(names(0, 20));
    await control('faults', { rate: 0.3, seed: 13 });
    await Promise.all([sync(names(5, 30)), sync(names(5, 30))]);
    await control('faults');
    const stored = await collect(project.knowledge.documents.list({ source: 's', limit: 100 }));
    equal(stored.map(({ externalId }) => externalId).sort(), names(5, 30).sort());
  },

  'sync takes an asynchronous iterable, and can be aborted': async ({ newProject }) => {
    const { project } = await newProject();
    async function* slowly() {
      for (const document of handbook(['a.md', 'b.md', 'c.md'])) {
        await sleep(5);
        yield document;
      }
    }
    const totals: unknown[] = [];
    const onProgress = ({ total }: SyncEvent) => void totals.push(total ?? null);
    equal((await project.knowledge.sync({ source: 's', documents: slowly(), onProgress })).created, 3);
    equal(totals, [null, null, null]);
    const signal = AbortSignal.abort();
    equal(
      (await rejection(project.knowledge.sync({ source: 's', documents: slowly(), signal }))).name,
      'AbortError',
    );
  },
};
