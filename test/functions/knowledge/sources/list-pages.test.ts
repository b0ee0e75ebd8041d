import { describe, expect } from 'vitest';
import { responds } from '../../../support/responses.ts';
import { htmlPage, openSite } from '../../../support/site.ts';
import { openSources } from '../../../support/sources.ts';

describe('knowledge.sources.list-pages', () => {
  responds(200, 'by status, page by page', async () => {
    await using site = await openSite(new Map([['/', htmlPage('Home', 'Welcome.', ['/a', '/b'])]]));
    site.pages.set('/a', htmlPage('A', 'Page a.'));
    const { api, path, refresh } = await openSources(site);
    await refresh();
    const response = await api.call('GET', `${path}/pages?status=gone`);
    expect(response.data.items).toMatchObject([
      { url: `${site.url}b`, status: 'gone', documentId: null, error: null },
    ]);
    const { data } = await api.call('GET', `${path}/pages?limit=2`);
    expect((await api.call('GET', `${path}/pages?cursor=${data.nextCursor}`)).data.items).toHaveLength(1);
    return response;
  });
});
