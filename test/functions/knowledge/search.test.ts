import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { dayMs } from '../../../lib/base/time.ts';
import type { Block } from '../../../lib/indexing/store/parts.ts';
import { unitHash, variantOf } from '../../../lib/rollouts/assign.ts';
import { meter } from '../../../measures/meter.ts';
import type { Json, TestApi } from '../../../samples/api.ts';
import { openRetiring } from '../../support/environments.ts';
import { openKnowledge } from '../../support/knowledge.ts';
import { refuses, responds } from '../../support/responses.ts';
import { serveRollout } from '../../support/rollouts.ts';

const handbook = [
  {
    title: 'Returns',
    mimeType: 'text/markdown',
    tags: ['shop'],
    content:
      '# Returns\n\nYou can send anything back within 30 days.\n\n## Refunds\n\nWe refund to the card you paid with.',
  },
  {
    title: 'Delivery',
    tags: ['shop'],
    content: 'Parcels arrive in two days. Damaged parcels go back to us.',
  },
  { title: 'Kündigung', tags: ['legal'], content: 'Der Vertrag kann monatlich gekündigt werden.' },
  { title: '返品', content: '商品は三十日以内に返品できます。' },
];

const production = { environment: 'production' };

const otherProject = async (call: TestApi['call']) =>
  (await call('POST', '/projects', { body: { name: 'Other' } })).data.id;

async function openHandbook() {
  const api = await openKnowledge();
  for (const body of handbook) await api.create(body);
  const job = await api.reindex();
  const search = (query: string) => api.call('GET', `${api.project}/knowledge/search?${query}`);
  const titles = async (query: string) =>
    ((await search(query)).data.items as { title: string }[]).map(({ title }) => title);
  return { ...api, job, search, titles };
}

describe('knowledge.search', () => {
  responds(200, 'with the best pieces first, and where they stand', async () => {
    const { search, job } = await openHandbook();
    const response = await search('q=refund%20card');
    expect(response.data.indexVersion).toBe((job.result as { indexVersion: string }).indexVersion);
    expect(response.data.items).toMatchObject([
      {
        title: 'Returns',
        heading: 'Returns › Refunds',
        snippet: 'Refunds We refund to the card you paid with.',
        matches: [
          { start: 0, end: 7 },
          { start: 11, end: 17 },
          { start: 25, end: 29 },
        ],
        score: expect.any(Number),
        scores: { lexical: expect.any(Number) },
        matchedWords: ['Refunds', 'refund', 'card'],
      },
    ]);
    return response;
  });

  test('a hit has its whole piece, its place in the version, and its neighbours if they are asked for', async () => {
    const { create, reindex, search } = await openKnowledge().then(async (api) => ({
      ...api,
      search: async (query: string) =>
        (await api.call('GET', `${api.project}/knowledge/search?${query}`)).data.items as Json[],
    }));
    const parts = [1, 2, 3, 4, 5].map(
      (number) => `## Part ${number}\n\n${'Filler. '.repeat(50)}word${number}`,
    );
    const { id } = await create({ title: 'Parts', mimeType: 'text/markdown', content: parts.join('\n\n') });
    await reindex();
    const text = (number: number) => `## Part ${number}\n\n${'Filler. '.repeat(50)}word${number}`;
    const [hit] = await search('q=word3');
    // A version does not keep the empty section before the first heading.
    expect(hit).toMatchObject({ pieceId: `${id}.3`, page: null, url: null, text: text(3) });
    const around = async (query: string) => (await search(query))[0]?.text;
    expect(await around('q=word3&context=0')).toBe(text(3));
    expect(await around('q=word3&context=1')).toBe([2, 3, 4].map(text).join('\n\n'));
    expect(await around('q=word1&context=3')).toBe([1, 2, 3, 4].map(text).join('\n\n'));
    expect(await around('q=word5&context=2')).toBe([3, 4, 5].map(text).join('\n\n'));
    const [short] = await search('q=word3&fields=snippet&context=3');
    expect(short).not.toHaveProperty('text');
    const { text: _, ...rest } = hit ?? {};
    expect(short).toEqual(rest);
  });

  test('of a table, a hit has whole rows with their header, and the snippet shows the rarest word', async () => {
    const { create, reindex, call, project } = await openKnowledge();
    const rows = Array.from({ length: 60 }, (_, at) => `"Tariff; T${at + 1}";${at + 11}.00;${at + 300}.50`);
    await create({ title: 'Fees', content: ['Product;Monthly;Cancellation fee', ...rows].join('\n') });
    await reindex();
    const q = encodeURIComponent('cancellation fee of Tariff T47');
    const { data } = await call('GET', `${project}/knowledge/search?q=${q}`);
    const [hit] = data.items as { text: string; snippet: string }[];
    expect(hit?.snippet).toContain('T47";57.00;346.50');
    const [head, ...lines] = hit?.text.split('\n') ?? [];
    expect(head).toBe('Product;Monthly;Cancellation fee');
    expect(lines).toEqual(rows.filter((row) => lines.includes(row)));
  });

  test('a text and its neighbours need no more reads, wherever a long document is cut', {
    tags: ['long'],
  }, async () => {
    let metered: ReturnType<typeof meter> | undefined;
    const { create, reindex, call, project, partsOf } = await openKnowledge(({ client }) => {
      metered = meter(client);
      return { client: metered.client };
    });
    const usageOf = async (path: string) => {
      metered?.reset();
      const { data } = await call('GET', path);
      return { usage: metered?.usage(), items: data.items as { text: string }[] };
    };
    const headings = [1, 2, 3, 4, 5].map((level) => `${'#'.repeat(level)} ${'heading '.repeat(14)}`);
    const parts = Array.from({ length: 1000 }, (_, number) => `###### ${'x'.repeat(100)}\n\nword${number}`);
    const content = [...headings, ...parts].join('\n');
    await create({ title: 'Long', mimeType: 'text/markdown', content });
    const job = await reindex();
    const [block] = (await partsOf(`${job.id}`)).filter(({ id }) => id === 'block-000000');
    const { documents } = JSON.parse(brotliDecompressSync(block?.bytes as Uint8Array).toString()) as Block;
    const last = Number(/word(\d+)$/.exec(documents[0]?.chunks.at(-1)?.text ?? '')?.[1]);
    expect(last).toBeGreaterThan(100);
    // The first search loads the index.
    await usageOf(`${project}/knowledge/search?q=word1`);
    for (let number = last - 3; number < last + 5; number += 1) {
      const path = `${project}/knowledge/search?q=word${number}&limit=1`;
      const snippet = await usageOf(`${path}&fields=snippet`);
      const whole = await usageOf(`${path}&context=3`);
      expect(whole.usage).toEqual(snippet.usage);
      const numbers = whole.items[0]?.text.match(/word\d+/g);
      expect(numbers).toEqual([-3, -2, -1, 0, 1, 2, 3].map((by) => `word${number + by}`));
    }
  });

  test('the largest texts with all their neighbours fit into a response', { tags: ['long'] }, async () => {
    const { create, reindex, call, project } = await openKnowledge();
    const part = `# word\nword ${'\u0001'.repeat(2300)}`;
    for (let number = 0; number < 5; number += 1) {
      const content = Array.from({ length: 16 }, () => part).join('\n');
      await create({ title: `${number}`, mimeType: 'text/markdown', content });
    }
    await reindex();
    const path = `${project}/knowledge/search?q=word&limit=50&perDocument=50`;
    const lengths = async (query: string) => {
      const { data, text } = await call('GET', path + query);
      expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(4.5e6);
      return (data.items as { text: string }[]).map((hit) => hit.text.length);
    };
    const alone = await lengths('');
    expect(alone).toHaveLength(50);
    const together = await lengths('&context=3');
    expect(together).toHaveLength(50);
    expect(together[0]).toBeGreaterThan(3 * (alone[0] ?? 0));
    // There is no room for all neighbours.
    expect(together).toContain(alone[0]);
  });

  refuses('validation_error', 'more neighbours than three', async () => {
    const { search } = await openHandbook();
    return search('q=refund&context=4');
  });

  refuses('validation_error', 'fields that do not exist', async () => {
    const { search } = await openHandbook();
    return search('q=refund&fields=title');
  });

  test('words are found in any script, without case, accents, plural or the right spelling', async () => {
    const { titles } = await openHandbook();
    expect(await titles('q=PARCEL')).toEqual(['Delivery']);
    expect(await titles('q=kundigung')).toEqual(['Kündigung']);
    expect(await titles(`q=${encodeURIComponent('返品')}`)).toEqual(['返品']);
    expect(await titles('q=parsels')).toEqual(['Delivery']);
    expect(await titles('q=unrelated')).toEqual([]);
  });

  test('words are found however they are encoded, and emoji are words', async () => {
    const { create, reindex, search } = await openKnowledge().then(async (api) => ({
      ...api,
      search: (q: string) => api.call('GET', `${api.project}/knowledge/search?q=${encodeURIComponent(q)}`),
    }));
    await create({ title: 'pen', content: 'これはペンです。'.normalize('NFD') });
    await create({ title: 'half', content: 'あれはﾍﾟﾝでした。' });
    await create({ title: 'road', content: 'Die Straße ist lang.' });
    await create({ title: 'thumb', content: 'Daumen 👍 hoch' });
    await create({ title: 'party', content: '🎉' });
    await reindex();
    const titles = async (q: string) =>
      ((await search(q)).data.items as { title: string }[]).map(({ title }) => title).sort();
    expect(await titles('ペン')).toEqual(['half', 'pen']);
    expect(await titles('ペン'.normalize('NFD'))).toEqual(['half', 'pen']);
    expect(await titles('STRASSE')).toEqual(['road']);
    expect(await titles('👍')).toEqual(['thumb']);
    expect(await titles('🎉')).toEqual(['party']);
  });

  test('a tag narrows, and a limit cuts', async () => {
    const { titles } = await openHandbook();
    expect((await titles('q=back')).sort()).toEqual(['Delivery', 'Returns']);
    expect(await titles('q=back&tag=legal')).toEqual([]);
    expect(await titles('q=vertrag&tag=legal')).toEqual(['Kündigung']);
    expect(await titles('q=back&limit=1')).toHaveLength(1);
  });

  test('several tags must all match, or any of them, and documents can be named', async () => {
    const { create, reindex, call, project } = await openKnowledge();
    const titles = async (query: string) => {
      const { data } = await call('GET', `${project}/knowledge/search?q=price&${query}`);
      return (data.items as { title: string }[]).map(({ title }) => title).sort();
    };
    const [a, b, c] = [
      await create({ title: 'a', content: 'The price of a.', tags: ['shop', 'de'] }),
      await create({ title: 'b', content: 'The price of b.', tags: ['shop', 'fr'] }),
      await create({ title: 'c', content: 'The price of c.', tags: ['de'] }),
    ];
    await reindex();
    for (const mode of ['mode=lexical', 'mode=hybrid']) {
      expect(await titles(`${mode}&tag=shop&tag=de`)).toEqual(['a']);
      expect(await titles(`${mode}&tag=shop&tag=de&tagMode=all`)).toEqual(['a']);
      expect(await titles(`${mode}&tag=fr&tag=de&tagMode=any`)).toEqual(['a', 'b', 'c']);
      expect(await titles(`${mode}&tag=shop&tag=none`)).toEqual([]);
      expect(await titles(`${mode}&documentId=${a.id}&documentId=${c.id}`)).toEqual(['a', 'c']);
      expect(await titles(`${mode}&documentId=${b.id}&documentId=${c.id}&tag=de`)).toEqual(['c']);
    }
    const unknown = 'kdoc_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    expect(await titles(`documentId=${unknown}`)).toEqual([]);
    expect(await titles(`documentId=${unknown}&documentId=${b.id}`)).toEqual(['b']);
  });

  test('more filters than allowed, and values that are none, are refused with their paths', async () => {
    const { search } = await openHandbook();
    const pathsOf = async (query: string) => {
      const { status, error } = await search(`q=back&${query}`);
      return [status, ...(error?.details ?? []).map(({ path }) => path)];
    };
    const many = (name: string, count: number, value: string) =>
      Array.from({ length: count }, (_, at) => `${name}=${value}${at}`).join('&');
    const ids = (count: number) =>
      Array.from({ length: count }, () => 'documentId=kdoc_01ARZ3NDEKTSV4RRFFQ69G5FAV').join('&');
    expect(await pathsOf(many('tag', 20, 't'))).toEqual([200]);
    expect(await pathsOf(many('tag', 21, 't'))).toEqual([400, 'tag']);
    expect(await pathsOf(ids(10))).toEqual([200]);
    expect(await pathsOf(ids(11))).toEqual([400, 'documentId']);
    expect(await pathsOf('tag=a&tag=')).toEqual([400, 'tag.1']);
    expect(await pathsOf('documentId=doc_1')).toEqual([400, 'documentId.0']);
    expect(await pathsOf('tag=a&tagMode=some')).toEqual([400, 'tagMode']);
    expect(await pathsOf('tagMode=any&tagMode=all')).toEqual([400, 'tagMode']);
    for (const value of ['', ':', ':DE', 'country', `a:${'b'.repeat(140)}`])
      expect(await pathsOf(`metadata=${value}`), value).toEqual([400, 'metadata.0']);
    expect(await pathsOf(`metadata=country:${'a'.repeat(101)}`)).toEqual([400, 'metadata.0']);
    expect(await pathsOf(many('metadata', 4, 'country:'))).toEqual([400, 'metadata']);
  });

  refuses('reindex_required', 'a field that the version does not have yet', async () => {
    const { call, project, search } = await openHandbook();
    await call('PATCH', project, { body: { settings: { searchFields: ['country'] } } });
    return search('q=refund&metadata=country:DE');
  });

  test('at most three pieces of a document are found, or as many as the request says', {
    tags: ['long'],
  }, async () => {
    const { create, reindex, titles } = await openHandbook();
    const sections = Array.from({ length: 5 }, (_, number) => `## Section ${number}\n\nA zebra.`);
    await create({ title: 'Animals', mimeType: 'text/markdown', content: sections.join('\n\n') });
    await create({ title: 'Zoo', content: 'The zoo has one zebra, an elephant and many other animals.' });
    await reindex();
    const howMany = async (query: string) =>
      (await titles(query)).filter((title) => title === 'Animals').length;
    expect(await howMany('q=zebra')).toBe(3);
    expect(await howMany('q=zebra&perDocument=1')).toBe(1);
    expect(await howMany('q=zebra&perDocument=50')).toBe(5);
    expect(await titles('q=zebra&perDocument=2&limit=3')).toHaveLength(3);
  });

  test('a piece that has only words like "my" and "is" is not found', async () => {
    const { titles } = await openHandbook();
    expect(await titles(`q=${encodeURIComponent('my gadget is in the card')}`)).toEqual(['Returns']);
    expect(await titles(`q=${encodeURIComponent('the gadget that we paint')}`)).not.toContain('Delivery');
  });

  refuses('validation_error', 'a number of pieces of a document that is not from 1 to 50', async () => {
    const { search } = await openHandbook();
    return search('q=refund&perDocument=0');
  });

  test('what has changed is found after the next re-indexing, and not before', {
    tags: ['long'],
  }, async () => {
    const { titles, create, reindex, call, path } = await openHandbook();
    const { id } = await create({ title: 'Opening hours', content: 'From nine to five.' });
    expect(await titles('q=nine')).toEqual([]);
    await reindex();
    expect(await titles('q=nine')).toEqual(['Opening hours']);
    await call('DELETE', `${path}/${id}`);
    expect(await titles('q=nine')).toEqual(['Opening hours']);
    await reindex();
    expect(await titles('q=nine')).toEqual([]);
  });

  test("another organisation's knowledge is not found, whatever this process has loaded", async () => {
    const { titles } = await openHandbook();
    expect(await titles('q=refund')).toHaveLength(1);
    const other = await openKnowledge();
    await other.create({ content: 'nothing of that' });
    await other.reindex();
    expect((await other.call('GET', `${other.project}/knowledge/search?q=refund`)).data.items).toEqual([]);
  });

  test('an environment is answered from the index that its current deployment has frozen', {
    tags: ['long'],
  }, async () => {
    const { call, project, create, reindex, titles } = await openHandbook();
    const deploy = (sha: string) =>
      call('POST', `${project}/deployments`, {
        body: { environment: 'production', git: { sha, ref: 'main' } },
      });
    expect((await deploy('1111111')).status).toBe(201);
    await create({ title: 'Opening hours', content: 'From nine to five.' });
    await reindex();
    expect(await titles('q=nine')).toEqual(['Opening hours']);
    expect(await titles('q=nine&environment=production')).toEqual([]);
    expect((await deploy('2222222')).status).toBe(201);
    expect(await titles('q=nine&environment=production')).toEqual(['Opening hours']);
    const { items } = (await call('GET', `${project}/deployments`)).data as { items: { id: string }[] };
    const [second, first] = items.map(({ id }) => `q=nine&deploymentId=${id}`);
    expect(await titles(`${first}`)).toEqual([]);
    await call('POST', `${project}/rollback`, { body: { environment: 'production', reason: 'wrong hours' } });
    expect(await titles(`${second}`)).toEqual(['Opening hours']);
    expect(await titles('q=nine&environment=production')).toEqual([]);
    expect(await titles('q=refund&environment=production')).toEqual(['Returns']);
  });

  test('while a rollout runs, a unit is answered from the index of its variant', async () => {
    const api = await openHandbook();
    const { call, project, create, reindex, titles } = api;
    await call('POST', `${project}/deployments`, { body: production });
    await create({ title: 'Opening hours', content: 'From nine to five.' });
    await reindex();
    const { data } = await call('POST', `${project}/deployments`, {
      body: { ...production, promote: false },
    });
    const id = 'rol_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    const unitWith = (variant: string) =>
      Array.from({ length: 40 }, (_, at) => `user-${at}`).find(
        (unit) => variantOf(unitHash(id, unit), 50) === variant,
      );
    const [current, candidate] = [unitWith('current'), unitWith('candidate')];
    // Without a rollout, a unit changes nothing.
    expect(await titles(`q=nine&environment=production&unit=${candidate}`)).toEqual([]);
    const projectId = project.split('/')[2] ?? '';
    await serveRollout(api, projectId, 'production', {
      id,
      percent: 50,
      span: 1,
      deploymentId: `${data.id}`,
    });
    expect(await titles(`q=nine&environment=production&unit=${candidate}`)).toEqual(['Opening hours']);
    expect(await titles(`q=nine&environment=production&unit=${current}`)).toEqual([]);
    expect(await titles('q=nine&environment=production')).toEqual([]);
  });

  test.each([
    ['without an environment', 'unit=a'],
    ['with a deployment', 'unit=a&deploymentId=dep_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['empty', 'environment=production&unit='],
    ['too long', `environment=production&unit=${'a'.repeat(256)}`],
    ['sent twice', 'environment=production&unit=a&unit=a'],
  ])('a unit is refused %s', async (_, query) => {
    const { search } = await openHandbook();
    const { status, error } = await search(`q=refund&${query}`);
    expect([status, ...(error?.details ?? []).map(({ path }) => path)]).toEqual([400, 'unit']);
  });

  refuses('not_found', 'an environment that is not there', async () => {
    const { search } = await openHandbook();
    return search('q=refund&environment=nowhere');
  });

  refuses('not_found', 'a deployment of another project', async () => {
    const { call, project, search } = await openHandbook();
    const other = await call('POST', `/projects/${await otherProject(call)}/deployments`, {
      body: production,
    });
    const own = await call('POST', `${project}/deployments`, { body: production });
    expect((await search(`q=refund&deploymentId=${own.data.id}`)).status).toBe(200);
    return search(`q=refund&deploymentId=${other.data.id}`);
  });

  refuses('validation_error', 'a deployment and an environment', async () => {
    const { call, project, search } = await openHandbook();
    const { data } = await call('POST', `${project}/deployments`, { body: production });
    const response = await search(`q=refund&environment=production&deploymentId=${data.id}`);
    expect(response.error.details?.map(({ path }) => path)).toEqual(['deploymentId']);
    return response;
  });

  refuses('index_retired', 'the index of a deleted environment, after seven days', async () => {
    const { search, tested, advance } = await openRetiring();
    expect((await search(`q=drum&deploymentId=${tested.id}`)).status).toBe(200);
    advance(7 * dayMs);
    return search(`q=drum&deploymentId=${tested.id}`);
  });

  refuses('not_indexed', 'a deployment that was made before the first index', async () => {
    const { call, project, create, reindex } = await openKnowledge();
    const { data } = await call('POST', `${project}/deployments`, { body: production });
    await create();
    await reindex();
    return call('GET', `${project}/knowledge/search?q=c&deploymentId=${data.id}`);
  });

  refuses('not_indexed', 'an environment whose deployment was made before the first index', async () => {
    const { call, project, create, reindex } = await openKnowledge();
    const body = { environment: 'production', git: { sha: '1111111', ref: 'main' } };
    await call('POST', `${project}/deployments`, { body });
    await create();
    await reindex();
    return call('GET', `${project}/knowledge/search?q=c&environment=production`);
  });

  refuses('not_indexed', 'before the first index', async () => {
    const { call, project, create } = await openKnowledge();
    await create();
    return call('GET', `${project}/knowledge/search?q=c`);
  });

  refuses('validation_error', 'a query of nothing to look for', async () => {
    const { search } = await openHandbook();
    return search('q=%3F%21');
  });

  refuses('validation_error', 'no query', async () => {
    const { search } = await openHandbook();
    return search('limit=5');
  });
});
