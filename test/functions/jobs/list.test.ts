import { describe, expect } from 'vitest';
import { hourMs } from '../../../lib/base/time.ts';
import { openKnowledge } from '../../support/knowledge.ts';
import { responds } from '../../support/responses.ts';

describe('jobs.list', () => {
  responds(200, 'newest first', async () => {
    const { call, project, reindex } = await openKnowledge();
    const first = await reindex();
    const second = await reindex();
    const response = await call('GET', `${project}/jobs`);
    expect(response.data.items).toMatchObject([{ id: second.id }, { id: first.id }]);
    return response;
  });

  responds(200, 'filtered by the status that they have by now', async () => {
    const { call, project, reindex, advance } = await openKnowledge();
    const done = await reindex();
    const { data: forgotten } = await call('POST', `${project}/knowledge/reindex`);
    const ids = async (status: string) =>
      ((await call('GET', `${project}/jobs?status=${status}`)).data.items as { id: string }[]).map(
        ({ id }) => id,
      );
    expect(await ids('queued')).toEqual([forgotten.id]);
    expect(await ids('succeeded')).toEqual([done.id]);
    advance(6 * hourMs);
    expect(await ids('queued')).toEqual([]);
    expect(await ids('failed')).toEqual([forgotten.id]);
    return call('GET', `${project}/jobs?status=cancelled`);
  });
});
