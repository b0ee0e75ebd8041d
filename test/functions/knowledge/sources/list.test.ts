import { describe, expect } from 'vitest';
import { openKnowledge } from '../../../support/knowledge.ts';
import { responds } from '../../../support/responses.ts';

describe('knowledge.sources.list', () => {
  responds(200, 'newest first, page by page', async () => {
    const { call, project } = await openKnowledge();
    const path = `${project}/knowledge/sources`;
    const create = async (name: string) => {
      const { data } = await call('POST', path, {
        body: { type: 'url', url: `https://acme.example/${name}` },
      });
      return data.id;
    };
    const ids = [await create('a'), await create('b')];
    const response = await call('GET', `${path}?limit=1`);
    expect(response.data.items).toMatchObject([{ id: ids[1] }]);
    const rest = await call('GET', `${path}?cursor=${response.data.nextCursor}`);
    expect(rest.data.items).toMatchObject([{ id: ids[0] }]);
    return response;
  });
});
