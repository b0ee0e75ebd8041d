import { describe, expect } from 'vitest';
import { dayMs } from '../../../lib/base/time.ts';
import { openApi } from '../../../samples/api.ts';
import { identityBody } from '../../../samples/samples.ts';
import { refuses, responds } from '../../support/responses.ts';

const path = '/workload-identities';

describe('workload-identities.get', () => {
  responds(200, 'with the identity, as it was created', async () => {
    const { call } = await openApi();
    const { data } = await call('POST', path, { body: identityBody });
    const response = await call('GET', `${path}/${data.id}`);
    expect(response.data).toEqual(data);
    return response;
  });

  refuses('not_found', 'an identity that was deleted more than 30 days ago', async () => {
    const { call, advance } = await openApi();
    const { data } = await call('POST', path, { body: identityBody });
    await call('DELETE', `${path}/${data.id}`);
    advance(29 * dayMs);
    expect((await call('GET', `${path}/${data.id}`)).data.status).toBe('deleted');
    advance(2 * dayMs);
    return call('GET', `${path}/${data.id}`);
  });

  refuses('not_found', 'an identity with more projects than the caller has', async () => {
    const { call, createKey, createProject } = await openApi();
    const { data } = await call('POST', path, { body: identityBody });
    const projectIds = [await createProject()];
    const { secret: key } = await createKey({ scopes: ['api-keys:read'], projectIds });
    return call('GET', `${path}/${data.id}`, { key });
  });
});
