import { describe, expect, test } from 'vitest';
import { openKnowledge } from '../../../support/knowledge.ts';
import { responds } from '../../../support/responses.ts';
import { changeStored } from '../../../support/stored.ts';

const body = { type: 'url', url: 'https://acme.example/' };

describe('knowledge.sources.get', () => {
  responds(200, 'as it was created', async () => {
    const { call, project } = await openKnowledge();
    const { data } = await call('POST', `${project}/knowledge/sources`, { body });
    const response = await call('GET', `${project}/knowledge/sources/${data.id}`);
    expect(response.data).toEqual(data);
    return response;
  });

  test('a source of another tenant does not exist', async () => {
    const { call, project, another } = await openKnowledge();
    const { data } = await call('POST', `${project}/knowledge/sources`, { body });
    const other = await another();
    const { status } = await other.call(
      'GET',
      `/projects/${await other.createProject()}/knowledge/sources/${data.id}`,
    );
    expect(status).toBe(404);
  });

  responds(200, 'of an older version, with why no request can reach its URL', async () => {
    const api = await openKnowledge();
    const { call, project } = api;
    const { data } = await call('POST', `${project}/knowledge/sources`, { body });
    const path = `${project}/knowledge/sources/${data.id}`;
    expect(data).toMatchObject({ url: body.url, health: { status: 'unknown', reason: null } });
    const shownFor = async (url: string) => {
      await changeStored(api, 'knowledge', `${data.id}`, 'url', url);
      return call('GET', path);
    };
    const response = await shownFor(`https://${'a'.repeat(64)}.example/`);
    const health = {
      status: 'failing',
      reason: {
        code: 'invalid_url',
        message: 'The host of the URL has a label of more than 63 characters.',
      },
    };
    expect(response.data.health).toEqual(health);
    expect((await call('GET', `${project}/knowledge/sources`)).data.items).toMatchObject([{ health }]);
    expect((await call('PATCH', path, { body: { maxPages: 5 } })).data).toMatchObject({
      maxPages: 5,
      health,
    });
    expect((await call('PATCH', path, { body: { url: 'https:acme.example' } })).data).toMatchObject({
      url: 'https://acme.example/',
      health: { status: 'unknown', reason: null },
    });
    return response;
  });
});
