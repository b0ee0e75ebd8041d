/**
 * The `runtime` of an avatar comes back everywhere as it was sent: in versions, deployments, events and replays. What would not is
 * refused, with its path.
 */

import { createHash } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { maxAvatarBytes } from '../../lib/avatars/avatar.ts';
import { maxRuntimeBytes } from '../../lib/avatars/runtime.ts';
import { canonicalJson } from '../../lib/base/json.ts';
import { type Json, storedOf } from '../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import auditWriter from '../../workers/audit-writer.ts';
import eventWriter from '../../workers/event-writer.ts';
import { deploy, openProject, type ProjectApi } from '../support/avatars.ts';
import { allEvents, eventsOf } from '../support/events.ts';

const nested = (levels: number): unknown =>
  JSON.parse(`${'{"a":['.repeat(levels / 2)}${']}'.repeat(levels / 2)}`);

const assistant = {
  zebra: 1,
  model: {
    id: 'gpt-realtime',
    temperature: 0.1 + 0.2,
    seed: 2 ** 53,
    tiny: 5e-324,
    huge: 1.7976931348623157e308,
  },
  tools: [
    { name: 'find_order', parameters: { type: 'object', properties: {}, required: [] } },
    null,
    '',
    false,
  ],
  toString: 'own',
  constructor: { name: 'own' },
  'name with "quotes", ünïcode and 🚀': '\u0000\u2028😀',
  deep: nested(98),
};
const persona = { prompt: 'You are Ada.' };

/** A body whose numbers are as they are written here. */
const raw = (runtime: string) => `{"name":"Ada","persona":{"prompt":"p"},"runtime":${runtime}}`;
const sendRaw = (api: ProjectApi, text: string) =>
  api.call('POST', `/projects/${api.projectId}/avatars`, { rawBody: text });

/** The avatars and their versions. Other items have the same ids. */
const avatarItems = async (api: ProjectApi) =>
  (await storedOf(api, 'avatars')).filter(({ persona: content }) => content !== undefined);
const avatarIn = async (api: ProjectApi, id: unknown) =>
  (await avatarItems(api)).find((item) => item.id === id);

/** Gives the changes to the writers of events and of the audit log. @param states of one avatar, in their order */
async function logStates(api: ProjectApi, states: readonly Awaited<ReturnType<typeof avatarIn>>[]) {
  const records = states.map((state, index) => changeRecord(states[index - 1], state));
  for (const writer of [auditWriter, eventWriter])
    await deliverNotices(api.runtime, writer, noticesOf(writer, records, 'avatars'));
}

test('what was sent comes back in every response, in the same order', async () => {
  const api = await openProject();
  const body = { name: 'Ada', persona, externalId: 'ada', runtime: assistant };
  const options = { headers: { 'Idempotency-Key': 'once' } };
  const text = JSON.stringify(assistant);
  const created = await api.send('POST', '/avatars', body, options);
  expect(created.status, created.text).toBe(201);
  const replayed = await api.send('POST', '/avatars', body, options);
  const id = `${created.data.id}`;
  const states = [await avatarIn(api, id)];
  const unchanged = await api.send('PUT', '/avatars/by-external-id/ada', body);
  expect(unchanged.data.outcome).toBe('unchanged');
  const { id: deployment } = await deploy(api);
  await api.send('PATCH', `/avatars/${id}`, { runtime: { model: 'other' } });
  states.push(await avatarIn(api, id));
  const patched = await api.send('GET', `/avatars/${id}`);
  expect(patched.data).toMatchObject({ version: 2, runtime: { model: 'other' } });
  const config = await api.send('GET', '/environments/production/config');
  const responses = [
    created,
    replayed,
    unchanged,
    await api.send('GET', `/avatars/${id}/versions`),
    await api.send('GET', `/avatars/${id}/versions/1`),
    config,
  ];
  for (const response of responses) expect(response.text).toContain(text);
  await deploy(api);
  expect((await api.send('GET', '/environments/production/config')).text).not.toContain(text);
  await api.send('POST', '/rollback', { environment: 'production', deploymentId: deployment });
  expect((await api.send('GET', '/environments/production/config')).text).toContain(text);
  await api.send('PATCH', `/avatars/${id}`, { runtime: assistant });
  expect((await api.send('GET', '/avatars')).text).toContain(text);
  states.push(await avatarIn(api, id));
  await logStates(api, states);
  const events = await eventsOf(api);
  const inEvents = events
    .filter(({ data }) => data.id === id)
    .map(({ data }) => JSON.stringify(data.runtime));
  expect(inEvents).toContain(text);
  const audit = await allEvents(api, `&resourceId=${id}`);
  expect(audit.map(({ changes }) => (changes as Json).fields)).toContainEqual(['version', 'runtime']);
  expect(JSON.stringify(audit)).not.toContain('find_order');
});

test('0 is stored for -0, as RFC 8785 writes it, and a number in another notation stays the number', async () => {
  const api = await openProject();
  const { status, text, data } = await sendRaw(
    api,
    raw('{"a":-0,"b":1E2,"c":1e21,"d":100000000000000000000}'),
  );
  expect(status, text).toBe(201);
  expect(text).toContain('"runtime":{"a":0,"b":100,"c":1e+21,"d":100000000000000000000}');
  expect((await api.send('GET', `/avatars/${data.id}`)).text).toContain('{"a":0,"b":100,"c":1e+21');
});

test('only a set runtime is in the configHash', async () => {
  const api = await openProject();
  const { id, name, persona: shown, voice, imageUrl, knowledgeTags, metadata } = await api.createAvatar();
  const content: Json = { name, persona: shown, voice, imageUrl, knowledgeTags, metadata };
  const hashOf = (avatar: Json) =>
    createHash('sha256')
      .update(canonicalJson({ avatars: { [id]: avatar }, knowledgeIndexVersion: null }))
      .digest('hex');
  const without = await deploy(api);
  expect(without.configHash).toBe(hashOf(content));
  await api.send('PATCH', `/avatars/${id}`, { runtime: { b: 1, a: [] } });
  expect((await deploy(api)).configHash).toBe(hashOf({ ...content, runtime: { a: [], b: 1 } }));
  // Another order of the fields is no change.
  const again = await api.send('PATCH', `/avatars/${id}`, { runtime: { a: [], b: 1 } });
  expect(again.data.version).toBe(2);
  await api.send('PATCH', `/avatars/${id}`, { runtime: null });
  expect((await deploy(api)).configHash).toBe(without.configHash);
});

test('an avatar of an earlier version of the service goes on to work, with the same hash', async () => {
  const api = await openProject();
  const { id } = await api.createAvatar();
  const { configHash } = await deploy(api);
  for (const { tenant, id: key } of await avatarItems(api)) {
    const TableName = api.runtime.tableNames.avatars;
    const Key = { tenant, id: key };
    await api.runtime.client.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'REMOVE #r',
        ExpressionAttributeNames: { '#r': 'runtime' },
      }),
    );
  }
  expect((await api.send('GET', `/avatars/${id}`)).data.runtime).toBeNull();
  expect((await api.send('GET', `/avatars/${id}/versions`)).data.items).toMatchObject([{ runtime: null }]);
  const { data: config } = await api.send('GET', '/environments/production/config');
  expect((config.avatars as Json[])[0]).not.toHaveProperty('runtime');
  const unchanged = await api.send('POST', '/deployments', { environment: 'production', ifChanged: true });
  expect([unchanged.status, unchanged.data.configHash]).toEqual([200, configHash]);
  expect((await api.send('PATCH', `/avatars/${id}`, { runtime: null })).data.version).toBe(1);
  expect((await api.send('PATCH', `/avatars/${id}`, { name: 'Eve' })).data).toMatchObject({
    version: 2,
    runtime: null,
  });
});

describe('the changes of a deployment', () => {
  const pathsAfter = async (before: unknown, after: unknown) => {
    const api = await openProject();
    const { id } = await api.createAvatar({ runtime: before });
    await deploy(api);
    const changed = await api.send('PATCH', `/avatars/${id}`, { runtime: after });
    expect(changed.status, changed.text).toBe(200);
    const { id: deployment } = await deploy(api);
    const { data } = await api.send('GET', `/deployments/${deployment}/changes`);
    return (data.items as Json[]).map(({ fields, paths }) => ({ fields, paths }));
  };

  test('name the paths in the runtime', async () => {
    const tool = { name: 'a', parameters: { required: [] } };
    expect(
      await pathsAfter(
        { model: 'm', tools: [tool, tool], voice: { speed: 1 } },
        { model: 'm', tools: [tool, { ...tool, parameters: {} }, tool], voice: [], toString: 1 },
      ),
    ).toEqual([
      {
        fields: ['runtime'],
        paths: [
          'runtime.tools.1.parameters.required',
          'runtime.tools.2',
          'runtime.voice',
          'runtime.toString',
        ],
      },
    ]);
  });

  test('name at most 50 paths of at most 100 characters', async () => {
    const many = (value: number) =>
      Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, value]));
    const [item] = await pathsAfter(
      { ...many(1), long: {} },
      { ...many(2), long: { ['x'.repeat(1000)]: 1 } },
    );
    expect(item?.paths).toHaveLength(50);
    expect(await pathsAfter({ long: {} }, { long: { ['x'.repeat(1000)]: 1 } })).toEqual([
      { fields: ['runtime'], paths: ['runtime.long'] },
    ]);
  });

  test('name the runtime when it comes or goes', async () => {
    expect(await pathsAfter(null, { a: 1 })).toEqual([{ fields: ['runtime'], paths: ['runtime'] }]);
  });
});

describe('a fault in the runtime is a 400 with its path', () => {
  test.each([
    ['101 levels', '['.repeat(101) + ']'.repeat(101), `runtime${'.0'.repeat(9)}`],
    ['__proto__', '{"a":[{"__proto__":{"b":1}}]}', 'runtime.a.0'],
    ['constructor.prototype', '{"constructor":{"prototype":{}}}', 'runtime'],
    ['half of a surrogate pair', String.raw`{"a":["\ud800"]}`, 'runtime.a.0'],
    ['half of a surrogate pair in a name', String.raw`{"a":{"\udc00":1}}`, 'runtime.a.\udc00'],
    ['1e999', '{"a":[1,1e999]}', 'runtime.a.1'],
    ['-1e999', '-1e999', 'runtime'],
    ['1e-400', '{"a":1e-400}', 'runtime.a'],
    ['an integer that would change', '{"tools":[{"id":9007199254740993}]}', 'runtime.tools.0.id'],
    ['too many bytes', JSON.stringify({ a: 'é'.repeat(maxRuntimeBytes / 2) }), 'runtime'],
  ])('%s', async (_, runtime, path) => {
    const api = await openProject();
    const { id } = await api.createAvatar({ externalId: 'x' });
    const requests = [
      await sendRaw(api, raw(runtime)),
      await api.call('PATCH', `/projects/${api.projectId}/avatars/${id}`, {
        rawBody: `{"runtime":${runtime}}`,
      }),
      await api.call('PUT', `/projects/${api.projectId}/avatars/by-external-id/x`, { rawBody: raw(runtime) }),
    ];
    for (const { status, error } of requests) {
      expect(status).toBe(400);
      expect(error.code).toBe('validation_error');
      expect(error.details?.map((detail) => detail.path.replace('\ufffd', '\udc00'))).toEqual([path]);
    }
    expect((await avatarItems(api)).every(({ runtime: stored }) => stored === null)).toBe(true);
  });

  test('such numbers elsewhere in the body do not change its meaning', async () => {
    const api = await openProject();
    const text = `{"name":"1e999","persona":{"prompt":"9007199254740993"},"runtime":["1e999"]}`;
    expect((await sendRaw(api, text)).status).toBe(201);
  });

  test('deep JSON outside of the runtime is refused as before', async () => {
    const api = await openProject();
    const deep = '['.repeat(101) + ']'.repeat(101);
    const { error } = await sendRaw(api, `{"name":${deep},"persona":{"prompt":"p"}}`);
    expect(error.code).toBe('invalid_json');
  });
});

describe('at its limits', () => {
  const largest = { a: 'é'.repeat((maxRuntimeBytes - '{"a":""}'.length) / 2) };

  test('100 levels and exactly 64 KB are stored', async () => {
    const api = await openProject();
    const levels = `${'['.repeat(100)}${']'.repeat(100)}`;
    expect((await sendRaw(api, raw(levels))).text).toContain(`"runtime":${levels}`);
    const { id } = await api.createAvatar({ runtime: largest });
    expect((await api.send('GET', `/avatars/${id}`)).data.runtime).toEqual(largest);
  });

  test('the largest avatar is stored, deployed, listed, and in an event', async () => {
    const api = await openProject();
    const emoji = '😀';
    const { id } = await api.createAvatar({
      name: emoji.repeat(100),
      persona: { prompt: emoji.repeat(32_000), greeting: emoji.repeat(1000) },
      runtime: largest,
    });
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`${index}`.padEnd(40, 'n'), emoji.repeat(500)]),
    );
    const patched = await api.send('PATCH', `/avatars/${id}`, { metadata });
    expect(patched.status, patched.text.slice(0, 500)).toBe(200);
    const { id: deployment } = await deploy(api);
    for (const path of ['/environments/production/config', `/deployments/${deployment}/config`])
      expect((await api.send('GET', path)).data.avatars).toMatchObject([{ runtime: largest, metadata }]);
    for (const path of ['', `/${id}/versions?limit=1`])
      expect((await api.send('GET', `/avatars${path}`)).data.items).toMatchObject([
        { runtime: largest, metadata },
      ]);
    for (const path of ['', '/versions/2'])
      expect((await api.send('GET', `/avatars/${id}${path}`)).data).toMatchObject({
        runtime: largest,
        metadata,
      });
    await logStates(api, [await avatarIn(api, id)]);
    expect((await eventsOf(api)).map((event) => event.data)).toContainEqual(patched.data);
  });

  test('an avatar that no event could hold is refused as a whole', async () => {
    const api = await openProject();
    const control = '\u0001';
    const { id } = await api.createAvatar({ persona: { prompt: control.repeat(32_000) }, runtime: largest });
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`${index}`.padEnd(40, 'n'), control.repeat(500)]),
    );
    const refused = await api.send('PATCH', `/avatars/${id}`, { metadata });
    expect(refused.error.details).toEqual([
      { path: '', message: `the avatar must be at most ${maxAvatarBytes} bytes of UTF-8 as JSON` },
    ]);
    const { data } = await api.send('PATCH', `/avatars/${id}`, { metadata, runtime: null });
    await logStates(api, [await avatarIn(api, id)]);
    expect((await eventsOf(api)).map((event) => event.data)).toContainEqual(data);
  });
});
