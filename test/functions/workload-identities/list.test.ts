import { describe, expect } from 'vitest';
import { dayMs, timestamp } from '../../../lib/base/time.ts';
import { type Json, openApi } from '../../../samples/api.ts';
import { identityBody } from '../../../samples/samples.ts';
import { responds } from '../../support/responses.ts';

const path = '/workload-identities';

describe('workload-identities.list', () => {
  responds(200, 'with the identities, newest first, page by page, and no keys', async () => {
    const { call, createKey } = await openApi();
    const ids: unknown[] = [];
    for (const name of ['a', 'b', 'c']) {
      ids.unshift((await call('POST', path, { body: { ...identityBody, name } })).data.id);
      await createKey();
    }
    const found: unknown[] = [];
    for (let cursor = ''; ; ) {
      const { data } = await call('GET', `${path}?limit=1${cursor}`);
      found.push(...(data.items as Json[]).map(({ id }) => id));
      if (data.nextCursor === null) break;
      cursor = `&cursor=${data.nextCursor}`;
    }
    expect(found).toEqual(ids);
    const keys = (await call('GET', '/api-keys')).data.items as Json[];
    expect(keys.map(({ id }) => `${id}`.slice(0, 4))).toEqual(['key_', 'key_', 'key_', 'key_']);
    return call('GET', path);
  });

  responds(200, 'with those of a creator, of a status, or with an end', async () => {
    const { call, createKey } = await openApi();
    const { id, secret: key } = await createKey({ scopes: ['api-keys:write'], expiresIn: '10d' });
    const scopes = ['api-keys:read'];
    const mine = await call('POST', path, { key, body: { ...identityBody, scopes } });
    const other = await call('POST', path, { body: identityBody });
    await call('PATCH', `${path}/${other.data.id}`, { body: { status: 'suspended' } });
    const idsOf = async (query: string) =>
      ((await call('GET', `${path}?${query}`)).data.items as Json[]).map((item) => item.id);
    expect(await idsOf(`createdBy=${id}`)).toEqual([mine.data.id]);
    expect(await idsOf('status=suspended')).toEqual([other.data.id]);
    expect(await idsOf('status=active')).toEqual([mine.data.id]);
    expect(await idsOf(`expiresBefore=${timestamp(Date.now() + 11 * dayMs)}`)).toEqual([mine.data.id]);
    expect(await idsOf(`expiresBefore=${timestamp(Date.now() + 9 * dayMs)}`)).toEqual([]);
    return call('GET', path);
  });

  responds(200, 'to a bound credential with the identities of its projects only', async () => {
    const { call, createKey, createProject } = await openApi();
    const projectIds = [await createProject()];
    const { data } = await call('POST', path, { body: { ...identityBody, projectIds } });
    await call('POST', path, { body: identityBody });
    const { secret: key } = await createKey({ scopes: ['api-keys:read'], projectIds });
    const response = await call('GET', path, { key });
    expect((response.data.items as Json[]).map(({ id }) => id)).toEqual([data.id]);
    return response;
  });
});
