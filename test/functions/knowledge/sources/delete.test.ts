import { describe, expect } from 'vitest';
import { openKnowledge } from '../../../support/knowledge.ts';
import { responds } from '../../../support/responses.ts';

describe('knowledge.sources.delete', () => {
  responds(202, 'and cancels its refresh', async () => {
    const { call, project } = await openKnowledge();
    const body = { type: 'url', url: 'https://acme.example/' };
    const { data } = await call('POST', `${project}/knowledge/sources`, { body });
    const path = `${project}/knowledge/sources/${data.id}`;
    const { data: refresh } = await call('POST', `${path}/refresh`, { body: {} });
    const response = await call('DELETE', path);
    expect(response.data).toMatchObject({ type: 'knowledge.remove-source', status: 'queued' });
    expect((await call('GET', `${project}/jobs/${refresh.id}`)).data.status).toBe('cancelled');
    expect((await call('GET', path)).status).toBe(404);
    return response;
  });
});
