import { describe, expect } from 'vitest';
import type { Json } from '../../../samples/api.ts';
import { deploy, openProject } from '../../support/avatars.ts';
import { responds } from '../../support/responses.ts';

const namesOf = ({ items }: Json) => (items as { name: string }[]).map(({ name }) => name);

describe('environments.list', () => {
  responds(200, 'by name, page by page', async () => {
    const api = await openProject();
    const names = ['staging', 'a', 'zzzz', '-', '0', 'production'];
    for (const environment of names) await deploy(api, { environment });
    const sorted = names.toSorted();
    const response = await api.send('GET', '/environments');
    expect(namesOf(response.data)).toEqual(sorted);
    const found: string[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const { data } = await api.send('GET', `/environments?limit=2${cursor && `&cursor=${cursor}`}`);
      found.push(...namesOf(data));
      cursor = data.nextCursor;
    }
    expect(found).toEqual(sorted);
    return response;
  });

  responds(200, 'with none before the first deployment, and none of another project', async () => {
    const api = await openProject();
    await deploy(api);
    const response = await api.call('GET', `/projects/${await api.createProject()}/environments`);
    expect(response.data).toEqual({ items: [], nextCursor: null });
    return response;
  });
});
