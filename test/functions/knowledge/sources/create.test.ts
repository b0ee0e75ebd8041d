import { describe, expect, test } from 'vitest';
import { maxSources } from '../../../../lib/sources/store/sources.ts';
import { storedOf } from '../../../../samples/api.ts';
import { openKnowledge } from '../../../support/knowledge.ts';
import { refuses, responds } from '../../../support/responses.ts';

const url = 'https://docs.acme.example/';

describe('knowledge.sources.create', () => {
  responds(201, 'with what was left out', async () => {
    const { call, project } = await openKnowledge();
    const response = await call('POST', `${project}/knowledge/sources`, { body: { type: 'site', url } });
    expect(response.data).toMatchObject({
      url,
      include: [],
      maxPages: 500,
      maxDepth: 3,
      refresh: 'manual',
      paused: false,
      nextRefreshAt: null,
      lastRefresh: null,
    });
    return response;
  });

  responds(201, 'and stores its URL in normal form', async () => {
    const api = await openKnowledge();
    const body = { type: 'site', url: 'https:Acme.example' };
    const response = await api.call('POST', `${api.project}/knowledge/sources`, { body });
    expect(response.data.url).toBe('https://acme.example/');
    const stored = (await storedOf(api, 'knowledge')).filter(
      ({ id, url: of }) => id === response.data.id && of,
    );
    expect(stored).toMatchObject([{ url: 'https://acme.example/' }]);
    return response;
  });

  test.each([
    [{ url: 'http://docs.acme.example/' }, 'url'],
    [{ url: 'https://169.254.169.254/' }, 'url'],
    [{ url: 'https://intranet/' }, 'url'],
    [{ refresh: '30m' }, 'refresh'],
    [{ refresh: '31d' }, 'refresh'],
    [{ maxPages: 5001 }, 'maxPages'],
    [{ maxDepth: 11 }, 'maxDepth'],
    [{ include: ['docs/*'] }, 'include.0'],
    [{ type: 'page' }, 'type'],
  ])('refuses %j', async (body, path) => {
    const { call, project } = await openKnowledge();
    const sent = { type: 'site', url, ...body };
    const { status, error } = await call('POST', `${project}/knowledge/sources`, { body: sent });
    expect(status).toBe(400);
    expect(error.details).toMatchObject([{ path }]);
  });

  test('the source of a document must not be the id of a source', async () => {
    const { call, path, put } = await openKnowledge();
    const source = 'src_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    const body = { title: 't', content: 'c', source };
    expect((await call('POST', path, { body })).error.details).toMatchObject([{ path: 'source' }]);
    expect((await put('a', { source })).status).toBe(400);
    expect((await put('a', { source: `${source}x` })).status).toBe(201);
  });

  refuses('too_many_sources', 'more than a project may have', async () => {
    const { call, project } = await openKnowledge();
    const create = () => call('POST', `${project}/knowledge/sources`, { body: { type: 'url', url } });
    const [first] = await Promise.all(Array.from({ length: maxSources }, create));
    expect((await call('GET', `${project}/knowledge/sources?limit=100`)).data.items).toHaveLength(maxSources);
    const response = await create();
    await call('DELETE', `${project}/knowledge/sources/${first?.data.id}`);
    expect((await create()).status).toBe(201);
    return response;
  });
});
