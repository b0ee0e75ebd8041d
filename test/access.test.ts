/** An endpoint declares the actions that it takes, and no others: what it does not need it must not be granted. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../functions/index.ts';
import { allScopes } from '../lib/scopes.ts';
import type { Client } from '../lib/store/session.ts';
import { type Access, mergeAccess, type TableName } from '../lib/store/tables.ts';
import type { CallOptions } from './support/api.ts';
import { intercept } from './support/faults.ts';
import { publishIndex } from './support/knowledge.ts';
import { sampleOf } from './support/samples.ts';
import { openApiWith, openIssuer, type TestIssuer } from './support/tokens.ts';

let issuer: TestIssuer;

beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.close());

type Part = { TableName?: string };

const actions: Record<string, string> = {
  GetCommand: 'GetItem',
  QueryCommand: 'Query',
  PutCommand: 'PutItem',
  UpdateCommand: 'UpdateItem',
  DeleteCommand: 'DeleteItem',
  BatchGetCommand: 'BatchGetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** @returns a client that notes each action on each table (the table's name ends with the one we know it by) */
function noting(client: Client) {
  const taken: Access[] = [];
  const note = (name: string | undefined, kind: string) =>
    taken.push({ [name?.split('-').at(-1) as TableName]: [actions[kind]] } as Access);
  const noted = intercept(client, ({ constructor: kind, input }) => {
    const { TransactItems, RequestItems, TableName } = input as {
      TransactItems?: Record<string, Part>[];
      RequestItems?: Record<string, unknown>;
      TableName?: string;
    };
    for (const item of TransactItems ?? []) {
      for (const [name, part] of Object.entries(item)) note(part.TableName, name);
    }
    for (const name of Object.keys(RequestItems ?? {})) note(name, kind.name);
    if (TableName) note(TableName, kind.name);
    return undefined;
  });
  return { client: noted, taken };
}

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  test('takes every action that it declares', async () => {
    const used: Access[] = [];
    let noted = noting({} as Client);
    const api = await openApiWith(issuer, {}, ({ client }) => {
      noted = noting(client);
      return { client: noted.client };
    });
    const projectIds = [await api.createProject()];
    const bound = await api.createKey({ scopes: allScopes, projectIds });
    const bodies: Record<string, object> = {
      'api-keys.create': { name: 'k', scopes: ['projects:read'], projectIds },
      'api-keys.update': { scopes: ['audit:read'] },
      'knowledge.documents.update': { externalId: 'another', content: 'another' },
      'avatars.update': { status: 'archived' },
    };
    const queries: Record<string, string> = {
      'knowledge.documents.list': '?externalId=returns',
      'knowledge.search': '&environment=production',
      // By an index.
      'conversations.list': '?channel=web',
      'conversations.search': '&channel=web',
    };
    // A caller who changes somebody else's key by giving it something, from a key that has not been used yet.
    const ways: (CallOptions & { query?: string })[] = [
      { key: (await api.createKey({ scopes: allScopes })).secret },
      { idempotencyKey: 'key' },
      { key: bound.secret },
      { key: await api.token({ scopes: allScopes }) },
      { query: queries[id] ?? '' },
    ];
    for (const { query = '', ...way } of ways) {
      const { path, body } = await sampleOf(id, api);
      if (id === 'deployments.create') await publishIndex(api, path.split('/')[2] ?? '', 'v1');
      const start = noted.taken.length;
      await api.call(endpoint.method, path + query, { ...(body && { body: bodies[id] ?? body }), ...way });
      // What making the sample took is not the endpoint's.
      noted.taken.splice(0, start);
      used.push(...noted.taken.splice(0));
    }
    expect(mergeAccess(...used)).toEqual(endpoint.access);
  });
});
