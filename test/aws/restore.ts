/** Runs the procedures of docs/restore.md verbatim, and checks what the API returns afterwards. */

import {
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  ListTagsOfResourceCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { stackName } from '../../infra/names.ts';
import { type TableName, tableNameIn } from '../../lib/dynamodb/tables.ts';
import type { ContractApi } from '../../samples/api.ts';
import type { Account } from '../support/aws-account.ts';
import { follow } from './follow.ts';

type Stage = { account: Account; open(): Promise<ContractApi> };

/** The tables of the group that the document replaces. */
const replaced = ['organisations', 'apiKeys', 'idempotency'] as const;
const nameOf = (table: TableName) => tableNameIn(stackName('dev'), table);

/** @param stage the deployed stage */
export function rehearseRestore(stage: () => Stage): void {
  /** Runs blocks of the document, each selected by a part of it, after the block that sets the stage. */
  const procedure = (...parts: string[]) =>
    follow(stage().account, 'docs/restore.md', { STAGE: 'dev' }, 'LIVE=', ...parts);
  const client = () => new DynamoDBClient({});

  test('lost items are copied back, and erased ones stay erased', { tags: ['nightly'] }, async () => {
    const api = await stage().open();
    const project = await api.createProject();
    const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    const converse = async (text: string) => {
      const base = `/projects/${project}/conversations`;
      const { data } = await api.call('POST', base, { body: { avatarId } });
      const body = { messages: [{ role: 'user', text }] };
      expect((await api.call('POST', `${base}/${data.id}/messages`, { body })).status).toBe(201);
      return `${base}/${data.id}`;
    };
    const [lost, erased] = [await converse('lost by accident'), await converse('erased on purpose')];
    const [group, restore] = ["GROUP='conversations", 'restore-table-to-point-in-time'];
    await procedure(group, restore);

    expect((await api.call('DELETE', erased)).status).toBe(200);
    await removeItems(`${api.organisationId}#live#${project}`, lost.split('/').at(-1) ?? '');
    expect((await api.call('GET', `${lost}/transcript`)).status).toBe(404);

    await procedure(
      group,
      'copy-missing -- --from "$LIVE-$name-restored',
      'delete-table --table-name "$LIVE-$name-restored',
    );
    const { data } = await api.call('GET', `${lost}/transcript`);
    expect((data.messages as { text: string }[]).map(({ text }) => text)).toEqual(['lost by accident']);
    expect((await api.call('GET', `${erased}/transcript`)).status).toBe(404);
  });

  test('a table is replaced, and a revoked key stays revoked', {
    tags: ['nightly'],
    timeout: 900_000,
  }, async () => {
    const api = await stage().open();
    const { id, secret } = await api.createKey();
    const get = (key?: string) => api.call('GET', '/projects', key === undefined ? {} : { key });
    expect((await get(secret)).status).toBe(200);
    const before = await Promise.all(replaced.map(stateOf));
    for (const { tags } of before) expect(tags).toMatchObject({ service: 'platform-api', stage: 'dev' });
    const group = "GROUP='organisations";
    await procedure(group, 'throttle 0 0', 'restore-table-to-point-in-time');
    // The emulator restores the present state, so what happens now is missing in the restored tables.
    await revokeInTable(api.organisationId, id);
    await procedure(
      group,
      'throttle 0 0',
      '--tombstones',
      'replace()',
      '--tombstones --from "$LIVE-$name-restored',
      'throttle 500',
    );
    expect((await get(secret)).status).toBe(401);
    expect((await get()).status).toBe(200);
    const after = await Promise.all(replaced.map(stateOf));
    expect(after.map(({ tags }) => tags)).toEqual(before.map(({ tags }) => tags));
    for (const [index, { id }] of after.entries()) expect(id).not.toBe(before[index]?.id);
  });

  test('the drill restores tables, finds their items in the copies, and removes the copies', async () => {
    await stage().open();
    const isGood =
      /^(\w+): restored in \d+ s; ([1-9]\d*) of \2 sampled items are in the copy, \2 unchanged$/gm;
    const printed = await procedure('npm run restore-drill');
    const drilled = [...printed.matchAll(isGood)].map(([, table]) => table);
    expect(drilled, printed).toEqual(['organisations', 'apiKeys', 'projects', 'audit']);
    const { TableNames = [] } = await client().send(new ListTablesCommand({}));
    expect(TableNames).toContain(nameOf('audit'));
    expect(TableNames.filter((name) => name.endsWith('-drill'))).toEqual([]);
  }, 900_000);

  /** @returns the id of a table, which a replaced one does not have, and its tags */
  async function stateOf(table: TableName) {
    const { Table } = await client().send(new DescribeTableCommand({ TableName: nameOf(table) }));
    const { Tags = [] } = await client().send(
      new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }),
    );
    const own = Tags.filter(({ Key = '' }) => !Key.startsWith('aws:'));
    return { id: Table?.TableId, tags: Object.fromEntries(own.map(({ Key, Value }) => [Key, Value])) };
  }

  /** The API is closed, so the table is changed directly, as the API would. */
  async function revokeInTable(organisationId: string, id: string): Promise<void> {
    const revoke = new UpdateItemCommand({
      TableName: nameOf('apiKeys'),
      Key: { tenant: { S: `${organisationId}#live` }, id: { S: id } },
      UpdateExpression: 'SET revokedAt = :now',
      ExpressionAttributeValues: { ':now': { S: new Date().toISOString() } },
    });
    await client().send(revoke);
  }

  /** Deletes a conversation and its messages from the tables, like an operator's mistake. */
  async function removeItems(partition: string, conversationId: string): Promise<void> {
    const remove = (TableName: string, tenant: string, id: string) =>
      client().send(new DeleteItemCommand({ TableName, Key: { tenant: { S: tenant }, id: { S: id } } }));
    await remove(nameOf('conversations'), partition, conversationId);
    await remove(nameOf('messages'), `${partition}#${conversationId}`, '0000000001');
  }
}
