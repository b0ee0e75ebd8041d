/** Single calls, with a `fetch` of the test's own. */

import type { Fetch, PlatformOptions } from '../../../../clients/typescript/src/index.ts';
import {
  type Context,
  collect,
  equal,
  failure,
  ok,
  rejection,
  type Scenarios,
  sleep,
  success,
} from '../scenario.ts';

type Sent = { url: string; method: string; headers: Headers; body: unknown; redirect: unknown };

/** A client whose requests get these responses one after another, the last one again and again. */
function fake(
  { client, origin }: Context,
  responses: (() => Response | Promise<Response>)[],
  options: PlatformOptions = {},
) {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, { method = 'GET', headers, body, redirect }) => {
    const next = responses[Math.min(sent.length, responses.length - 1)];
    const text = typeof body === 'string' ? JSON.parse(body) : undefined;
    sent.push({ url, method, headers: new Headers(headers), body: text, redirect });
    if (!next) throw new Error('no response');
    return next();
  };
  const settings = { apiKey: 'sk_live_secret', baseUrl: `${origin}/api/v1`, fetch, ...options };
  return { platform: new client.Platform(settings), sent };
}

const project = { id: 'proj_1', name: 'Support' };

export const calls: Scenarios = {
  'a call sends path, query, body and key, and returns the data': async (context) => {
    const page = { ...project, items: [], nextCursor: null };
    const { platform, sent } = fake(context, [() => success(page)]);
    const conversations = platform.projects('proj_1').conversations;
    equal(await platform.projects.create({ name: 'Support' }), page);
    await conversations.stats({ groupBy: 'day', from: undefined });
    await conversations.list({ tag: 'a b&c', startedFrom: new Date(0) });
    await platform.projects('proj_1').knowledge.documents.put('a/b.md', { title: 'b', content: 'c' });
    equal(
      sent.map(({ method, url }) => `${method} ${url.replace(`${context.origin}/api/v1`, '')}`),
      [
        'POST /projects',
        'GET /projects/proj_1/conversations/stats?groupBy=day',
        'GET /projects/proj_1/conversations?tag=a+b%26c&startedFrom=1970-01-01T00%3A00%3A00.000Z',
        'PUT /projects/proj_1/knowledge/documents/by-external-id/a%2Fb.md',
      ],
    );
    equal(sent[0]?.body, { name: 'Support' });
    equal(sent[0]?.headers.get('authorization'), 'Bearer sk_live_secret');
    equal(sent[0]?.headers.get('content-type'), 'application/json');
    equal(sent[1]?.headers.get('content-type'), null);
  },

  'an id that would lead to another path is refused before it is sent': async (context) => {
    const { platform, sent } = fake(context, [() => success({})]);
    for (const id of ['', '.', '..', undefined as unknown as string])
      equal((await rejection(() => platform.projects.delete(id))).name, 'TypeError');
    equal((await rejection(() => platform.projects('').jobs.get('x'))).name, 'TypeError');
    equal(sent.length, 0);
  },

  'a path that would lead elsewhere is refused before the key is sent': async (context) => {
    const { origin } = context;
    const leading = [
      '',
      'projects',
      '.evil.example/x',
      '@evil.example/x',
      ':81/x',
      '//evil.example/x',
      '?a=b',
    ];
    const folders = ['/../x', '/a/..', '/./a', '/%2e%2E/x', '/a/.%2e?b', '/a/%2e', '/..#a'];
    const disguised = [
      '/\\evil.example',
      '/a\\..\\b',
      '/.\t./x',
      '/\n/evil.example',
      undefined as unknown as string,
    ];
    for (const base of ['', '/api/v1']) {
      let reads = 0;
      const apiKey = () => {
        reads += 1;
        return 'sk_live_secret';
      };
      const { platform, sent } = fake(context, [() => success({ items: [], nextCursor: null })], {
        baseUrl: origin + base,
        apiKey,
      });
      for (const path of [...leading, ...folders, ...disguised]) {
        equal((await rejection(() => platform.request('GET', path))).name, 'TypeError', `request ${path}`);
        equal((await rejection(() => platform.paginate(path))).name, 'TypeError', `paginate ${path}`);
      }
      equal([sent.length, reads], [0, 0]);
      const paths = ['/', '/a?b=/../c', '/a/..b/c..', '/a/%2E%2E%2Fb', '/a//b', '/\u00f6', '/a/...'];
      for (const path of paths) await platform.request('GET', path);
      equal(
        sent.map(({ url }) => url),
        paths.map((path) => origin + base + path),
      );
    }
  },

  'withResponse has status, headers, body, request id and whether it was replayed': async (context) => {
    const headers = { 'X-Request-Id': 'req-7', 'Idempotent-Replayed': 'true', ETag: '"3"' };
    const { platform } = fake(context, [() => success(project, 201, headers)]);
    const { data, response, requestId, replayed } = await platform.projects
      .create({ name: 'a' })
      .withResponse();
    equal(
      [data, response.status, response.headers.get('etag'), requestId, replayed],
      [project, 201, '"3"', 'req-7', true],
    );
    equal(await response.json(), { success: true, data: project });
  },

  'options: ifMatch, ifNoneMatch with 304, further headers that cannot replace the own ones': async (
    context,
  ) => {
    const { platform, sent } = fake(
      context,
      [() => success(project), () => new Response(null, { status: 304 })],
      { headers: { 'X-Team': 'a', authorization: 'Basic x' } },
    );
    await platform.projects('p').avatars.delete('a', { ifMatch: '"3"', headers: { 'X-Run': '1' } });
    equal(sent[0]?.headers.get('if-match'), '"3"');
    equal([sent[0]?.headers.get('x-team'), sent[0]?.headers.get('x-run')], ['a', '1']);
    equal(sent[0]?.headers.get('authorization'), 'Bearer sk_live_secret');
    const { environments } = platform.projects('p');
    equal(await environments.config('production', { ifNoneMatch: '"x"' }), undefined);
    equal(sent[1]?.headers.get('if-none-match'), '"x"');
    equal(await environments.config('production', { unit: 'user 1', ifNoneMatch: '"x"' }), undefined);
    equal(
      sent.slice(1).map(({ url }) => url.replace(/^.*\//, '')),
      ['config', 'config?unit=user+1'],
    );
  },

  'each code has an error class; an unknown one is an ApiError': async (context) => {
    const { client } = context;
    const details = [{ path: 'name', message: 'must not be empty' }];
    const { platform } = fake(context, [
      () => failure(400, 'validation_error', {}, { details }),
      () => failure(404, 'not_found'),
      () => failure(409, 'code_of_next_year'),
      () => failure(409, 'toString'),
      () => new Response('<h1>No</h1>', { status: 403, statusText: 'Forbidden' }),
    ]);
    const invalid = await rejection(platform.projects.create({ name: '' }));
    ok(invalid instanceof client.ValidationError && invalid instanceof client.ApiError, 'ValidationError');
    equal(
      [invalid.status, invalid.code, invalid.requestId, invalid.details],
      [400, 'validation_error', 'req-1', details],
    );
    equal(
      [invalid.name, invalid.message],
      ['ValidationError', 'A message. (POST /projects, request req-1)\n  name: must not be empty'],
    );
    ok((await rejection(platform.health())) instanceof client.NotFoundError, 'NotFoundError');
    for (const code of ['code_of_next_year', 'toString', 'unknown']) {
      const error = await rejection(platform.health());
      equal([error.constructor === client.ApiError, error.code, error.name], [true, code, 'ApiError']);
    }
  },

  'what another attempt may change is repeated: 429, 500, 502, 503, 504 and lost connections': async (
    context,
  ) => {
    const lost = () => {
      throw new TypeError('fetch failed');
    };
    const refused = [429, 500, 502, 503, 504].map((status) => () => failure(status, 'a_code'));
    const cut = () => new Response('{"success":true,"da');
    const failures = [...refused, lost, cut].map(async (first) => {
      const { platform, sent } = fake(context, [first, () => success(project)]);
      equal(await platform.projects.create({ name: 'a' }), project);
      const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
      equal([keys.length, keys[0] === keys[1], keys[0]?.length], [2, true, 32]);
    });
    await Promise.all(failures);
  },

  'what another attempt would not change is not repeated: 400, 401, 404, 409, 422': async (context) => {
    for (const status of [400, 401, 403, 404, 409, 412, 422]) {
      const { platform, sent } = fake(context, [() => failure(status, 'a_code')]);
      const error = await rejection(platform.projects.create({ name: 'a' }));
      equal([error.status, error.attempts, sent.length], [status, 1, 1]);
    }
  },

  'two POSTs have different keys; the caller can choose one; other methods have none': async (context) => {
    const { platform, sent } = fake(context, [() => success(project)]);
    await platform.projects.create({ name: 'a' });
    await platform.projects.create({ name: 'a' });
    await platform.projects.create({ name: 'a' }, { idempotencyKey: 'mine' });
    await platform.projects.update('p', { name: 'a' });
    const [one, two, mine, none] = sent.map(({ headers }) => headers.get('idempotency-key'));
    ok(one !== two, 'different keys');
    equal([mine, none], ['mine', null]);
  },

  'append has a clientMessageId per message in place of a key, the same at each attempt': async (context) => {
    const { platform, sent } = fake(context, [
      () => failure(500, 'internal_error'),
      () => success({ messages: [] }),
    ]);
    const messages = [
      { role: 'user' as const, text: 'a' },
      { role: 'user' as const, text: 'b', clientMessageId: 'm-2' },
    ];
    await platform.projects('p').conversations.append('c', { messages });
    const ids = sent.map(({ body }) =>
      (body as { messages: { clientMessageId: string }[] }).messages.map((one) => one.clientMessageId),
    );
    equal(ids[0]?.[1], 'm-2');
    equal(ids[0], ids[1]);
    equal(ids[0]?.[0]?.length, 32);
    equal(sent[0]?.headers.get('idempotency-key'), null);
    ok(!('clientMessageId' in (messages[0] ?? {})), "the caller's messages are as they were");
  },

  'Retry-After is honoured in seconds and as a date': async (context) => {
    const delays: number[] = [];
    const onRetry = ({ delayMs }: { delayMs: number }) => void delays.push(delayMs);
    const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
    const responses = [
      () => failure(429, 'rate_limited', { 'Retry-After': '1' }),
      () =>
        failure(503, 'service_unavailable', { 'Retry-After': 'Sun, 06 Nov 1994 08:49:38 GMT', Date: date }),
      () => failure(503, 'service_unavailable', { 'Retry-After': 'soon' }),
      () => success(project),
    ];
    await fake(context, responses, { onRetry }).platform.health();
    const [seconds = 0, dated = 0, unreadable = 9999] = delays;
    ok(seconds >= 1000 && seconds < 1300, `in seconds: ${seconds}`);
    ok(dated >= 1000 && dated < 1600, `as a date: ${dated}`);
    ok(unreadable < 1200, `unreadable: ${unreadable}`);
  },

  'no attempt begins after the deadline, and no pause that would end after it': async (context) => {
    const later = fake(context, [() => failure(429, 'rate_limited', { 'Retry-After': '3600' })]);
    const error = await rejection(later.platform.health());
    equal([error.name, error.retryAfterSeconds, later.sent.length], ['RateLimitedError', 3600, 1]);

    const { platform, sent } = fake(context, [() => failure(500, 'internal_error')], {
      deadlineMs: 1500,
      maxRetries: 1000,
    });
    const startMs = Date.now();
    // An attempt that begins right before the deadline can end with it.
    const { name } = await rejection(platform.health());
    ok(name === 'InternalError' || name === 'TimeoutError', name);
    ok(sent.length > 1, 'it was repeated');
    ok(Date.now() - startMs < 20_000, 'it ended');

    const hanging = fake(context, [() => new Promise<Response>(() => {})], { deadlineMs: 200 });
    const timeout = await rejection(hanging.platform.health());
    ok(
      timeout instanceof context.client.TimeoutError && timeout instanceof context.client.ConnectionError,
      'TimeoutError',
    );
  },

  'maxRetries limits the attempts, and errors count them': async (context) => {
    const { platform, sent } = fake(context, [() => failure(500, 'internal_error')], { maxRetries: 1 });
    equal([(await rejection(platform.health())).attempts, sent.length], [2, 2]);
    equal((await rejection(platform.request('GET', '/health', { maxRetries: 0 }))).attempts, 1);
    equal(sent.length, 3);
  },

  'a body that does not come in time is a timeout, also if fetch ignores its signal': async (context) => {
    const stalled = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    const { platform, sent } = fake(context, [stalled, () => success(project)], { timeoutMs: 100 });
    equal(await platform.health(), project);
    equal(sent.length, 2);
    const once = fake(context, [stalled], { timeoutMs: 100, maxRetries: 0 });
    equal((await rejection(once.platform.health())).name, 'TimeoutError');
  },

  'a body that comes in small pieces has the same time limit': async (context) => {
    let left = 100;
    const dripping = () => {
      const pull = async (controller: ReadableStreamDefaultController) => {
        await sleep(50);
        controller.enqueue(new TextEncoder().encode(' '));
        // Nobody reads it any more, but the runtime would wait.
        left -= 1;
        if (left === 0) controller.close();
      };
      return new Response(new ReadableStream({ pull }));
    };
    const { platform } = fake(context, [dripping], { timeoutMs: 300, maxRetries: 0 });
    equal((await rejection(platform.health())).name, 'TimeoutError');
  },

  'a signal ends a request and a pause at once, with its reason': async (context) => {
    const slow = fake(context, [() => failure(429, 'rate_limited', { 'Retry-After': '20' })]);
    for (const { platform } of [slow, fake(context, [() => new Promise<Response>(() => {})])]) {
      const startMs = Date.now();
      const controller = new AbortController();
      const call = platform.request('GET', '/health', { signal: controller.signal });
      setTimeout(() => controller.abort('enough'), 50);
      const reason: unknown = await call.then(
        () => 'no failure',
        (one: unknown) => one,
      );
      equal(reason, 'enough');
      ok(Date.now() - startMs < 15_000, 'before the pause ends');
    }
    let asked = 0;
    const { platform, sent } = fake(context, [() => success(project)], {
      apiKey: () => {
        asked += 1;
        return new Promise<string>(() => {});
      },
    });
    const error = await rejection(platform.request('GET', '/health', { signal: AbortSignal.abort() }));
    equal([error.name, asked], ['AbortError', 0]);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new TypeError('enough')), 50);
    const waiting = platform.request('GET', '/health', { signal: controller.signal });
    equal([(await rejection(waiting)).message, asked, sent.length], ['enough', 1, 0]);
  },

  'hooks see each attempt, and never a key, a header or a body': async (context) => {
    const events: unknown[] = [];
    const note = (event: object) => void events.push(event);
    const headers = { Deprecation: '@1767225600', Sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' };
    const { platform } = fake(
      context,
      [
        () => failure(503, 'service_unavailable', { 'Retry-After': '0' }, { message: 'no sk_live_secret' }),
        () => success(project, 200, headers),
      ],
      { onRequest: note, onResponse: note, onRetry: note },
    );
    await platform.projects.create({ name: 'body-text' });
    equal(events.length, 5);
    const [, first, retry, , second] = events as Record<string, unknown>[];
    equal([first?.status, first?.attempt, retry?.attempt, second?.attempt], [503, 1, 1, 2]);
    equal([second?.deprecation, second?.sunset], [headers.Deprecation, headers.Sunset]);
    const error = retry?.error as Error;
    const text = `${JSON.stringify(events)}${error.message}${error.stack}`;
    ok(!/sk_live_secret|body-text/.test(text), text);
  },

  'a newer version of the client is mentioned once in the life of the process': async (context) => {
    const newer = () => success(project, 200, { 'Platform-Client-Latest': `9.9.9${'9'.repeat(100)}` });
    const { warn } = console;
    const said: string[] = [];
    console.warn = (...words) => said.push(words.join(' '));
    try {
      for (const _ of [1, 2]) {
        const { platform } = fake(context, [() => success(project), newer]);
        for (const __ of [1, 2, 3]) await platform.projects.get('proj_1');
      }
      const { platform } = fake(context, [newer], { onOutdated: (sentence) => said.push(sentence) });
      await platform.projects.get('proj_1');
    } finally {
      console.warn = warn;
    }
    equal(said.length, 1);
    ok(
      /^platform-api-client: The service offers version [9.]{40}\. This is \d+\.\d+\.\d+\.$/.test(
        said[0] ?? '',
      ),
      said.join(),
    );
  },

  'a function as apiKey is called once per request, and all attempts send its token': async (context) => {
    let count = 0;
    const apiKey = async () => `token-${++count}`;
    const lost = () => Promise.reject(new TypeError('the connection is lost'));
    const page = (nextCursor: string | null) => () => success({ items: [{ id: 'a' }], nextCursor });
    const job = (finishedAt: string | null) => () => success({ id: 'job_1', finishedAt });
    const headers = { 'Retry-After': '0' };
    const { platform, sent } = fake(
      context,
      [
        () => failure(429, 'rate_limited', headers),
        () => failure(503, 'service_unavailable', headers),
        lost,
        () => success(project),
        page('next'),
        () => failure(500, 'internal_error'),
        page(null),
        job(null),
        job('2026-03-01T09:30:00Z'),
      ],
      { apiKey },
    );
    await platform.projects.create({ name: 'a' });
    await collect(platform.projects.list());
    await platform.projects('proj_1').jobs.wait('job_1');
    equal(
      sent.map((request) => request.headers.get('authorization')),
      [1, 1, 1, 1, 2, 3, 3, 4, 5].map((number) => `Bearer token-${number}`),
    );
  },

  'a function as apiKey that fails, or returns no token, is an error before anything is sent': async (
    context,
  ) => {
    const refused = new Error('no token today');
    const failing = fake(context, [() => success(project)], { apiKey: () => Promise.reject(refused) });
    equal((await rejection(failing.platform.health())) === refused, true);
    const sources = [() => 'a\nb', () => '', () => undefined as unknown as string];
    const wrong = sources.map((apiKey) => fake(context, [() => success(project)], { apiKey }));
    for (const { platform } of wrong) equal((await rejection(platform.health())).name, 'TypeError');
    equal(
      [failing, ...wrong].map(({ sent }) => sent.length),
      [0, 0, 0, 0],
    );
  },

  'no error shows the key, even if a server or fetch repeats it': async (context) => {
    const echo = () =>
      failure(
        401,
        'unauthorized',
        {},
        { message: 'bad: sk_live_secret', details: [{ path: 'sk_live_secret', message: '' }] },
      );
    const thrown = () => {
      const cause = Object.assign(new Error('sent sk_live_secret'), {
        code: 'ECONNRESET',
        request: { key: 'sk_live_secret' },
      });
      throw new TypeError('fetch failed', { cause });
    };
    const headers = () =>
      new Response('<html>', {
        status: 502,
        statusText: 'Bad sk_live_secret',
        headers: { 'X-Request-Id': 'sk_live_secret', Sunset: 'sk_live_secret' },
      });
    const told: unknown[] = [];
    const onResponse = (event: object) => told.push(event);
    for (const response of [echo, thrown, headers]) {
      const error = await rejection(
        fake(context, [response], { maxRetries: 0, onResponse }).platform.health(),
      );
      const text = [
        JSON.stringify(told),
        error.requestId,
        error.message,
        error.stack,
        JSON.stringify({ ...error }),
        String(error),
        String(error.cause),
      ].join();
      ok(!text.includes('sk_live_secret'), text);
    }
    const lost = await rejection(fake(context, [thrown], { maxRetries: 0 }).platform.health());
    equal([lost.name, lost.code], ['ConnectionError', 'ECONNRESET']);
    for (const apiKey of ['sk_live_secret\n', 'sk live secret', '']) {
      const error = await rejection(() => new context.client.Platform({ apiKey, baseUrl: context.origin }));
      ok(!/live/.test(`${error.message}${error.stack?.split('\n')[0]}`), error.message);
    }
  },

  'nothing that prints the client shows the key': async (context) => {
    const { platform } = fake(context, [() => success(project)]);
    const seen = new Set<unknown>();
    const texts: string[] = [];
    const walk = (value: unknown): void => {
      if (typeof value === 'string') texts.push(value);
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
        return;
      seen.add(value);
      for (const key of Reflect.ownKeys(value)) {
        if (['arguments', 'caller'].includes(String(key))) continue;
        const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
        walk(descriptor && 'value' in descriptor ? descriptor.value : undefined);
      }
    };
    walk(platform);
    texts.push(JSON.stringify(platform), String(platform), JSON.stringify(platform.projects('p')));
    // Neither pages nor workers have it.
    if ('process' in globalThis) {
      const name = 'node:util';
      const { inspect } = await import(/* @vite-ignore */ name);
      const all = { showHidden: true, depth: 20, getters: true };
      for (const one of [platform, platform.projects, platform.projects('p'), platform.projects('p').jobs])
        texts.push(inspect(one), inspect(one, all));
    }
    ok(!texts.join().includes('sk_live_secret'), texts.find((text) => text.includes('sk_live')) ?? '');
  },

  'a redirect is not followed': async (context) => {
    const { platform, sent } = fake(context, [
      () => new Response(null, { status: 302, headers: { Location: 'https://example.com' } }),
    ]);
    const error = await rejection(platform.projects.create({ name: 'a' }));
    ok(/Check baseUrl/.test(error.message), error.message);
    equal(
      sent.map(({ redirect }) => redirect),
      ['manual'],
    );
  },

  'a key is not sent without TLS, except to this machine': async ({ client, isPage }) => {
    if (isPage) return;
    const open = (baseUrl: string) => new client.Platform({ apiKey: 'sk_live_secret', baseUrl });
    for (const host of [
      'example.com',
      '10.0.0.1',
      'localhost.example.com',
      'a.localhost',
      '127.1.1.1.nip.io',
    ]) {
      const error = await rejection(() => open(`http://${host}/api/v1`));
      ok(/others could read it on the way/.test(error.message) && !/sk_live/.test(error.message), host);
      equal(open(`https://${host}/api/v1`).baseUrl, `https://${host}/api/v1`);
    }
    for (const host of ['localhost:3000', '127.0.0.1', '127.1.2.3:80', '[::1]:3000', '2130706433'])
      ok(open(`http://${host}/api/v1`).baseUrl.startsWith('http://'), host);
  },

  'a missing id is an error that says so, before anything is sent': async (context) => {
    const { platform, sent } = fake(context, []);
    for (const missing of ['', undefined, null]) {
      const id = missing as string;
      const error = await rejection(() => platform.projects(id));
      ok(/The project id is missing/.test(error.message), error.message);
      const other = await rejection(() => platform.projects('proj_1').jobs.get(id));
      ok(/The id behind \/jobs\/ is missing/.test(other.message), other.message);
    }
    equal(sent, []);
  },

  'an error names the request and the id, and each invalid field on a line': async (context) => {
    const { platform } = context;
    const id = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    const project = platform.projects('proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E');
    const error = await rejection(project.avatars.get(id));
    ok(error instanceof context.client.NotFoundError, error.name);
    const path = `/projects/proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E/avatars/${id}`;
    equal([error.method, error.path, error.id], ['GET', path, id]);
    ok(error.message.endsWith(` (GET ${path}, request ${error.requestId})`), error.message);
    const listed = await rejection(project.avatars.list());
    ok(listed instanceof context.client.NotFoundError && listed.id?.startsWith('proj_'), listed.message);
    const named = await rejection(project.environments.get('a-b'));
    ok(named instanceof context.client.NotFoundError && named.id === 'a-b', named.message);
    const invalid = await rejection(platform.projects.create({ name: '', description: 'a'.repeat(5000) }));
    equal(invalid.message.split('\n').length, 3);
  },

  'an error of any status has the request, its id and the message': async (context) => {
    for (const status of [400, 401, 403, 404, 409, 412, 422, 429, 500, 503]) {
      const { platform } = fake(context, [() => failure(status, 'a_code')], { maxRetries: 0 });
      const error = await rejection(platform.request('GET', '/projects/p?a=b'));
      equal([error.message, error.reason], ['A message. (GET /projects/p, request req-1)', 'A message.']);
      ok(String(error).endsWith(error.message) && error.stack?.includes(error.message), String(error));
    }
  },

  'a connection error names the address and the number of attempts, without key and query': async (
    context,
  ) => {
    const refused = () => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    };
    const wrong = () => new Response('sk_live_secret');
    const reasons = new Map([
      [refused, 'fetch failed: connect ECONNREFUSED.'],
      [wrong, "The response with status 200 is not the API's, or not complete."],
    ]);
    for (const [response, reason] of reasons) {
      for (const [maxRetries, after] of [
        [0, ''],
        [2, ' after 3 attempts'],
      ] as const) {
        const { platform } = fake(context, [response], { maxRetries });
        const error = await rejection(platform.projects.list({ externalId: 'secret' }));
        equal(error.message, `The request to ${context.origin} failed${after}: ${reason}`);
        ok(error.stack?.includes(error.message), 'an uncaught error shows the same');
      }
    }
    const hanging = fake(context, [() => new Promise<Response>(() => {})], { timeoutMs: 50, maxRetries: 0 });
    const late = await rejection(hanging.platform.health());
    equal(late.name, 'TimeoutError');
    ok(
      late.message.startsWith(`The request to ${context.origin} failed: There was no complete`),
      late.message,
    );
  },

  'a 404 asks whether the base URL is complete, if it may not be': async (context) => {
    const page = () => new Response('<h1>Not here</h1>', { status: 404, statusText: 'Not Found' });
    const own = () => failure(404, 'not_found');
    const { origin } = context;
    const hint = 'Is the base URL complete? It ends with /api/v1.';
    for (const [response, baseUrl, isAsked] of [
      [page, origin, true],
      [page, `${origin}/api/v1`, true],
      [own, origin, true],
      [own, `${origin}/api/v1`, false],
    ] as const) {
      const error = await rejection(fake(context, [response], { baseUrl }).platform.projects.get('proj_1'));
      equal(error.message.includes(` ${hint} (GET /projects/proj_1`), isAsked, error.message);
    }
  },

  'a response without data, and a list without items, are errors of the client': async (context) => {
    for (const data of [undefined, null, [], 'a']) {
      const { platform } = fake(context, [() => success(data)], { maxRetries: 0 });
      const error = await rejection(platform.projects.get('proj_1'));
      ok(error instanceof context.client.ConnectionError, error.message);
    }
    const cut = [{}, { items: null, nextCursor: null }, { items: {}, nextCursor: null }, { items: [] }];
    for (const data of cut) {
      const { platform } = fake(context, [() => success(data)], { maxRetries: 0 });
      for (const act of [() => platform.projects.list(), () => collect(platform.projects.list())]) {
        const error = await rejection(act);
        ok(error instanceof context.client.ConnectionError, error.message);
        ok(/is not a list of the API/.test(error.message), error.message);
      }
    }
  },

  'baseUrl must be a plain http or https URL': async ({ client, origin }) => {
    for (const baseUrl of [
      'ftp://example.com',
      'nonsense:',
      `${origin.replace('//', '//user:hunter2@')}/api/v1`,
      `${origin}/?a`,
    ]) {
      const error = await rejection(() => new client.Platform({ apiKey: 'a', baseUrl }));
      equal(error.name, 'TypeError', baseUrl);
      ok(!error.message.includes('hunter2'), error.message);
    }
    equal(new client.Platform({ apiKey: 'a', baseUrl: `${origin}/api/v1/` }).baseUrl, `${origin}/api/v1`);
  },

  'in a page, only its own origin can be called; elsewhere the environment has the defaults': async ({
    client,
    isPage,
    origin,
  }) => {
    if (isPage) {
      equal(new client.Platform({ apiKey: 'a' }).baseUrl, `${origin}/api/v1`);
      const error = await rejection(
        () => new client.Platform({ apiKey: 'a', baseUrl: 'https://example.com/api/v1' }),
      );
      ok(/must not call https:\/\/example.com/.test(error.message), error.message);
      return;
    }
    ok(
      /Set baseUrl or PLATFORM_BASE_URL/.test(
        (await rejection(() => new client.Platform({ apiKey: 'a' }))).message,
      ),
      'no URL',
    );
    ok(
      /Set apiKey or PLATFORM_API_KEY/.test(
        (await rejection(() => new client.Platform({ baseUrl: origin }))).message,
      ),
      'no key',
    );
    if (!('process' in globalThis)) return;
    Object.assign(process.env, { PLATFORM_BASE_URL: 'https://example.com/api/v1', PLATFORM_API_KEY: 'a' });
    equal(new client.Platform().baseUrl, 'https://example.com/api/v1');
    equal(
      new client.Platform({ baseUrl: 'https://example.com/api/v1/' }).baseUrl,
      'https://example.com/api/v1',
    );
    equal(new client.Platform({ apiKey: 'b', baseUrl: origin }).baseUrl, origin);
    // Who can choose the address must not get the key of the environment.
    for (const baseUrl of [origin, 'https://example.com.evil.example/api/v1', 'https://example.com/api']) {
      const error = await rejection(() => new client.Platform({ baseUrl }));
      ok(/PLATFORM_API_KEY is not sent to/.test(error.message), error.message);
    }
    delete process.env.PLATFORM_BASE_URL;
    ok(
      /PLATFORM_API_KEY is not sent to/.test(
        (await rejection(() => new client.Platform({ baseUrl: 'https://example.com/api/v1' }))).message,
      ),
      'no address in the environment',
    );
    delete process.env.PLATFORM_BASE_URL;
    delete process.env.PLATFORM_API_KEY;
  },

  'a field that is null is sent, and one that is left out is not': async (context) => {
    const { platform, sent } = fake(context, [() => success(project)]);
    await platform.projects.create({ name: 'a', description: null });
    await platform.projects.create({ name: 'a', description: undefined });
    equal(
      sent.map(({ body }) => body),
      [{ name: 'a', description: null }, { name: 'a' }],
    );
  },

  'a thousand calls at once leave no listener on a shared signal': async (context) => {
    const { platform, sent } = fake(context, [
      async () => {
        await sleep(5);
        return success(project);
      },
    ]);
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, args);
    };
    await Promise.all(Array.from({ length: 1000 }, () => platform.request('GET', '/health', { signal })));
    equal([sent.length, listeners], [1000, 0]);
  },
};
