/** What each endpoint asks of DynamoDB, and how long it takes here. */

import type { Bench } from './service.ts';
import { median, ms, progress, table } from './statistics.ts';

const repetitions = 30;

export async function requests(bench: Bench): Promise<string> {
  const { send } = bench;
  const made = async () => (await send('POST', '/projects', { body: { name: 'p' } })).data.id as string;
  const deleted = async () => {
    const id = await made();
    await send('DELETE', `/projects/${id}`);
    return id;
  };
  const keyBody = { name: 'k', scopes: ['projects:read'] };
  const apiKey = async () => (await send('POST', '/api-keys', { body: keyBody })).data.id as string;
  let unique = 0;
  const fresh = () => `key-${unique++}`;
  await send('POST', '/projects', { body: { name: 'p' }, idempotencyKey: 'replayed' });

  /** The name, what has to be there, and the request. */
  const cases: [string, () => Promise<string>, (id: string) => ReturnType<typeof send>][] = [
    ['api-keys.create', async () => '', () => send('POST', '/api-keys', { body: keyBody })],
    [
      'api-keys.create, with key',
      async () => '',
      () => send('POST', '/api-keys', { body: keyBody, idempotencyKey: fresh() }),
    ],
    ['api-keys.list', async () => '', () => send('GET', '/api-keys')],
    ['api-keys.me', async () => '', () => send('GET', '/api-keys/me')],
    ['api-keys.get', apiKey, (id) => send('GET', `/api-keys/${id}`)],
    ['api-keys.update', apiKey, (id) => send('PATCH', `/api-keys/${id}`, { body: { name: 'n' } })],
    ['api-keys.revoke', apiKey, (id) => send('DELETE', `/api-keys/${id}`)],
    ['health', async () => '', () => send('GET', '/health')],
    ['projects.create', async () => '', () => send('POST', '/projects', { body: { name: 'p' } })],
    [
      'projects.create, with key',
      async () => '',
      () => send('POST', '/projects', { body: { name: 'p' }, idempotencyKey: fresh() }),
    ],
    [
      'projects.create, replayed',
      async () => '',
      () => send('POST', '/projects', { body: { name: 'p' }, idempotencyKey: 'replayed' }),
    ],
    ['projects.list', async () => '', () => send('GET', '/projects')],
    ['projects.get', made, (id) => send('GET', `/projects/${id}`)],
    ['projects.update', made, (id) => send('PATCH', `/projects/${id}`, { body: { name: 'n' } })],
    ['projects.delete', made, (id) => send('DELETE', `/projects/${id}`)],
    ['projects.restore', deleted, (id) => send('POST', `/projects/${id}/restore`)],
    [
      'projects.restore, with key',
      deleted,
      (id) => send('POST', `/projects/${id}/restore`, { idempotencyKey: fresh() }),
    ],
  ];

  const rows = [];
  for (const [name, prepare, act] of cases) {
    progress(`requests: ${name}`);
    const times: number[] = [];
    let usage = await bench.usageOf(await prepare().then((id) => () => act(id)));
    for (let index = 0; index < repetitions; index += 1) {
      const id = await prepare();
      const begun = performance.now();
      usage = await bench.usageOf(() => act(id));
      times.push(performance.now() - begun);
    }
    rows.push([`\`${name}\``, usage.roundTrips, usage.readUnits, usage.writeUnits, ms(median(times))]);
  }
  return [
    table(['endpoint', 'round trips', 'read units', 'write units', 'time'], rows),
    '',
    `Times are medians of ${repetitions}, in process, on DynamoDB Local.`,
  ].join('\n');
}
