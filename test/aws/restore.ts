/** Runs the procedures of docs/restore.md verbatim, and checks what the API returns afterwards. */

import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { DeleteItemCommand, DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { stackName } from '../../infra/names.ts';
import { type TableName, tableNameIn } from '../../lib/dynamodb/tables.ts';
import type { Account } from '../../scripts/aws/account.ts';
import { commandOf } from '../../scripts/aws/tools.ts';
import { shellBlocks } from '../docs/blocks.ts';
import { runBlocks } from '../docs/session.ts';
import type { ContractApi } from '../support/api.ts';

type Stage = { account: Account; open(): Promise<ContractApi> };

const nameOf = (table: TableName) => tableNameIn(stackName('dev'), table);

/** @param stage the deployed stage */
export function rehearseRestore(stage: () => Stage): void {
  const blocks = shellBlocks(readFileSync('docs/restore.md', 'utf8'));
  /** Runs blocks of the document, each selected by a part of it, after the block that sets the stage. */
  async function follow(...parts: string[]): Promise<void> {
    const chosen = ['STAGE=dev', ...parts].map((part) => {
      const found = blocks.find(({ code }) => code.includes(part));
      if (!found) throw new Error(`docs/restore.md has no block with ${part}`);
      return found;
    });
    const folder = mkdtempSync(join(tmpdir(), 'restore-'));
    symlinkSync(commandOf('aws'), join(folder, 'aws'));
    const path = [folder, resolve('node_modules/.bin'), process.env.PATH].join(delimiter);
    const env = { ...(process.env as Record<string, string>), PATH: path };
    const results = await runBlocks(chosen, {
      folder: resolve('.'),
      env,
      accountEnv: stage().account.env,
      timeoutSeconds: 300,
    });
    for (const { state, output } of results) expect(state, output).toBe('passed');
  }

  test('lost items are copied back, and erased ones stay erased', async () => {
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
    await follow(group, restore);

    expect((await api.call('DELETE', erased)).status).toBe(200);
    await removeItems(`${api.organisationId}#live#${project}`, lost.split('/').at(-1) ?? '');
    expect((await api.call('GET', `${lost}/transcript`)).status).toBe(404);

    await follow(
      group,
      'copy-missing -- --from "$LIVE-$name-restored',
      'delete-table --table-name "$LIVE-$name-restored',
    );
    const { data } = await api.call('GET', `${lost}/transcript`);
    expect((data.messages as { text: string }[]).map(({ text }) => text)).toEqual(['lost by accident']);
    expect((await api.call('GET', `${erased}/transcript`)).status).toBe(404);
  }, 900_000);

  test('a table is replaced, and a revoked key stays revoked', async () => {
    const api = await stage().open();
    const { id, secret } = await api.createKey();
    const get = (key?: string) => api.call('GET', '/projects', key === undefined ? {} : { key });
    expect((await get(secret)).status).toBe(200);
    const group = "GROUP='organisations";
    await follow(group, 'throttle 0 0', 'restore-table-to-point-in-time');
    // The emulator restores the present state, so what happens now is missing in the restored tables.
    await revokeInTable(api.organisationId, id);
    await follow(
      group,
      'throttle 0 0',
      '--tombstones',
      'replace()',
      '--tombstones --from "$LIVE-$name-restored',
      'throttle 500',
    );
    expect((await get(secret)).status).toBe(401);
    expect((await get()).status).toBe(200);
  }, 900_000);

  /** The API is closed, so the table is changed directly, as the API would. */
  async function revokeInTable(organisationId: string, id: string): Promise<void> {
    const revoke = new UpdateItemCommand({
      TableName: nameOf('apiKeys'),
      Key: { tenant: { S: `${organisationId}#live` }, id: { S: id } },
      UpdateExpression: 'SET revokedAt = :now',
      ExpressionAttributeValues: { ':now': { S: new Date().toISOString() } },
    });
    await new DynamoDBClient({}).send(revoke);
  }

  /** Deletes a conversation and its messages from the tables, like an operator's mistake. */
  async function removeItems(partition: string, conversationId: string): Promise<void> {
    const client = new DynamoDBClient({});
    const remove = (TableName: string, tenant: string, id: string) =>
      client.send(new DeleteItemCommand({ TableName, Key: { tenant: { S: tenant }, id: { S: id } } }));
    await remove(nameOf('conversations'), partition, conversationId);
    await remove(nameOf('messages'), `${partition}#${conversationId}`, '0000000001');
  }
}
