import { describe, expect, test } from 'vitest';
import { hourMs } from '../../../lib/base/time.ts';
import { openKnowledge } from '../../support/knowledge.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('jobs.cancel', () => {
  responds(200, 'ends a queued job for good, and again changes nothing', async () => {
    const { call, project, projectId, create, workOff } = await openKnowledge();
    await create();
    const { data: job } = await call('POST', `${project}/knowledge/reindex`);
    const cancelled = await call('POST', `${project}/jobs/${job.id}/cancel`);
    expect(cancelled.data).toMatchObject({ status: 'cancelled', result: null });
    await workOff(projectId, job.id as string);
    expect((await call('GET', `${project}/jobs/${job.id}`)).data).toEqual(cancelled.data);
    expect((await call('GET', `${project}/knowledge/search?q=c`)).error.code).toBe('not_indexed');
    const again = await call('POST', `${project}/jobs/${job.id}/cancel`);
    expect(again.data).toEqual(cancelled.data);
    return again;
  });

  responds(200, 'and makes room for another', async () => {
    const { call, project, reindex } = await openKnowledge();
    const { data: job } = await call('POST', `${project}/knowledge/reindex`);
    const response = await call('POST', `${project}/jobs/${job.id}/cancel`);
    expect((await reindex()).status).toBe('succeeded');
    return response;
  });

  responds(200, 'an export, by whoever may read its content', async () => {
    const { call, createKey, project } = await openKnowledge();
    const { data: job } = await call('POST', `${project}/exports`, { body: { what: 'audit' } });
    const { secret: key } = await createKey({ scopes: ['audit:read'] });
    const response = await call('POST', `${project}/jobs/${job.id}/cancel`, { key });
    expect(response.data).toMatchObject({ type: 'audit.export', status: 'cancelled' });
    return response;
  });

  test.each([
    ['an export of documents', 'exports', { what: 'documents' }, 'conversations:write'],
    ['an export of audit events', 'exports', { what: 'audit' }, 'knowledge:write'],
    ['a job of conversations', 'conversations/erase', { externalUserId: 'user-1' }, 'conversations:read'],
    ['a job of documents', 'knowledge/reindex', undefined, 'knowledge:read'],
  ])('%s needs the scope of its content', async (_title, path, body, scope) => {
    const { call, createKey, project } = await openKnowledge();
    const { data: job } = await call('POST', `${project}/${path}`, body && { body });
    const { secret: key } = await createKey({ scopes: [scope] });
    const refused = await call('POST', `${project}/jobs/${job.id}/cancel`, { key });
    expect([refused.status, refused.error.code]).toEqual([403, 'insufficient_scope']);
    expect((await call('GET', `${project}/jobs/${job.id}`)).data).toMatchObject({ status: 'queued' });
  });

  refuses('insufficient_scope', 'a replay for a key that has lost the scope of its content', async () => {
    const { call, createKey, project } = await openKnowledge();
    const { data: job } = await call('POST', `${project}/knowledge/reindex`);
    const { id, secret: key } = await createKey({ scopes: ['knowledge:write', 'conversations:write'] });
    const cancel = () => call('POST', `${project}/jobs/${job.id}/cancel`, { key, idempotencyKey: 'cancel' });
    expect((await cancel()).status).toBe(200);
    expect((await cancel()).headers['Idempotent-Replayed']).toBe('true');
    await call('PATCH', `/api-keys/${id}`, { body: { scopes: ['conversations:write'] } });
    return cancel();
  });

  refuses('job_ended', 'a job that has succeeded', async () => {
    const { call, project, reindex } = await openKnowledge();
    return call('POST', `${project}/jobs/${(await reindex()).id}/cancel`);
  });

  refuses('job_ended', 'a job whose deadline has passed', async () => {
    const { call, project, advance } = await openKnowledge();
    const { data: job } = await call('POST', `${project}/knowledge/reindex`);
    advance(6 * hourMs);
    return call('POST', `${project}/jobs/${job.id}/cancel`);
  });

  refuses('job_not_cancellable', 'a job that expunges documents', async () => {
    const { call, path, project, create } = await openKnowledge();
    const { data: job } = await call('DELETE', `${path}/${(await create()).id}?expunge=true`);
    return call('POST', `${project}/jobs/${job.id}/cancel`);
  });

  refuses('not_found', 'a job that nobody has', async () => {
    const { call, project } = await openKnowledge();
    return call('POST', `${project}/jobs/job_01JZ4Y7Q8R5T2V9W3X6B0C1D4E/cancel`);
  });
});
