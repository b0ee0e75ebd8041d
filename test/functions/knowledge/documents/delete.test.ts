import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { openKnowledge } from '../../../support/knowledge.ts';
import { refuses, responds } from '../../../support/responses.ts';
import { htmlPage, openSite } from '../../../support/site.ts';
import { openSources } from '../../../support/sources.ts';

describe('knowledge.documents.delete', () => {
  responds(200, 'with the document as it was last', async () => {
    const { call, path, create, index, listed } = await openKnowledge();
    const { id } = await create({ externalId: 'a' });
    await index(id);
    const { data: before } = await call('GET', `${path}/${id}`);
    const response = await call('DELETE', `${path}/${id}`);
    expect(response.data).toEqual(before);
    expect(await listed()).toEqual([]);
    expect((await call('GET', `${path}/${id}`)).status).toBe(404);
    return response;
  });

  responds(200, 'and its externalId is free at once', async () => {
    const { call, path, create } = await openKnowledge();
    const { id } = await create({ externalId: 'a' });
    const response = await call('DELETE', `${path}/${id}`);
    expect((await create({ externalId: 'a' })).id).not.toBe(id);
    return response;
  });

  responds(202, 'with a job that expunges it', async () => {
    const { call, path, project, create } = await openKnowledge();
    const { id } = await create();
    const response = await call('DELETE', `${path}/${id}?expunge=true`);
    expect(response.data).toMatchObject({ type: 'knowledge.expunge', status: 'queued' });
    expect(response.headers.Location).toBe(`/api/v1${project}/jobs/${response.data.id}?waitSeconds=20`);
    expect(response.headers['Retry-After']).toBe('2');
    expect((await call('GET', `${path}/${id}`)).status).toBe(404);
    const plain = await call('DELETE', `${path}/${(await create()).id}?expunge=false`);
    expect([plain.status, plain.headers.Location]).toEqual([200, undefined]);
    return response;
  });

  refuses('project_archived', 'an archived project, unless the document is expunged', async () => {
    const { call, path, project, create } = await openKnowledge();
    const { id } = await create();
    await call('PATCH', project, { body: { status: 'archived' } });
    const refused = await call('DELETE', `${path}/${id}`);
    expect((await call('DELETE', `${path}/${id}?expunge=true`)).status).toBe(202);
    return refused;
  });

  refuses('validation_error', 'an expunge that is neither true nor false', async () => {
    const { call, path, create } = await openKnowledge();
    return call('DELETE', `${path}/${(await create()).id}?expunge=1`);
  });

  refuses('not_found', 'a document that is deleted already', async () => {
    const { call, path, create } = await openKnowledge();
    const { id } = await create();
    await call('DELETE', `${path}/${id}`);
    return call('DELETE', `${path}/${id}`);
  });

  test('of ten at the same time one deletes it', async () => {
    const { call, path, create } = await openKnowledge();
    const { id } = await create({ externalId: 'a' });
    const responses = await Promise.all(Array.from({ length: 10 }, () => call('DELETE', `${path}/${id}`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });

  test('nothing of it stays behind', async () => {
    const { call, path, create, projectId, organisationId, runtime } = await openKnowledge();
    const left = async () => {
      const counts = ['', '#content', '#external'].map(async (within) => {
        const command = new QueryCommand({
          TableName: runtime.tableNames.knowledge,
          KeyConditionExpression: 'tenant = :tenant',
          ExpressionAttributeValues: { ':tenant': `${organisationId}#live#${projectId}${within}` },
        });
        return (await runtime.client.send(command)).Count;
      });
      return Promise.all(counts);
    };
    const { id } = await create({ externalId: 'a' });
    await call('PATCH', `${path}/${id}`, { body: { externalId: 'b' } });
    expect(await left()).toEqual([1, 1, 1]);
    await call('DELETE', `${path}/${id}`);
    expect(await left()).toEqual([0, 0, 0]);
  });
});

describe('knowledge.documents.delete of a source', () => {
  refuses('managed_by_source', 'a document that a source writes, unless it is expunged', async () => {
    await using site = await openSite(new Map([['/', htmlPage('Home', 'Welcome.')]]));
    const { api, base, refresh, documents } = await openSources(site);
    await refresh();
    const { '/': document } = await documents();
    const response = await api.call('DELETE', `${base}/documents/${document?.id}`);
    expect((await api.call('DELETE', `${base}/documents/${document?.id}?expunge=true`)).status).toBe(202);
    return response;
  });
});
