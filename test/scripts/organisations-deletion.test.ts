/** The deletion of an organisation leaves nothing, whenever it is killed; an export has everything but hashes of secrets. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { minuteMs } from '../../lib/base/time.ts';
import { tableNames } from '../../lib/dynamodb/tables.ts';
import { deletedTenant } from '../../lib/organisations/store.ts';
import type { Notice } from '../../lib/workers/notice.ts';
import { schedulerId } from '../../lib/workers/schedule/scheduler.ts';
import type { Worker } from '../../lib/workers/worker.ts';
import { type Json, openApi, storedOf, type TestApi } from '../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import { kinds, titleOf } from '../../scripts/items/kinds.ts';
import { deleteOrganisation } from '../../scripts/organisations/deletion.ts';
import { exportOrganisation, leftOut } from '../../scripts/organisations/export.ts';
import { belongsTo } from '../../scripts/organisations/search.ts';
import { suspend } from '../../scripts/organisations/state.ts';
import exporter from '../../workers/exporter.ts';
import { workers } from '../../workers/index.ts';
import { fill } from '../support/purges.ts';
import { remember } from '../support/rewind.ts';
import { mortal } from '../support/workers.ts';

let api: TestApi;
let kept: TestApi;
let rewind: () => Promise<void>;

/** Everything that an organisation has stored, by table. */
const stored = (of: TestApi) =>
  Promise.all(tableNames.map(async (table) => [table, await storedOf(of, table)] as const));

/** The notices that all workers get if all items of the organisation are new. */
async function allNotices(of: TestApi) {
  const all: { worker: Worker; notices: Notice[] }[] = [];
  // Last, because an erasure removes the files of exports.
  const others = workers.filter((worker) => worker !== exporter);
  for (const worker of [...others, exporter]) {
    for (const source of worker.sources) {
      const records = (await storedOf(of, source)).map((item) => changeRecord(undefined, item));
      const notices = noticesOf(worker, records, source);
      if (notices.length > 0) all.push({ worker, notices });
    }
  }
  return all;
}

/** Fills every table of an organisation, live and test. */
async function openFull(): Promise<TestApi> {
  const full = await openApi();
  await fill(full, { documents: 2, conversations: 3 });
  await full.createProject({}, await full.testModeKey());
  await full.call('POST', '/projects', { body: { name: 'p' }, idempotencyKey: 'k' });
  for (const { worker, notices } of await allNotices(full))
    await deliverNotices(full.runtime, worker, notices).catch(() => {});
  return full;
}

/** What all tables have now, of whomever, as text. */
async function everything({ runtime }: TestApi): Promise<string> {
  const texts: string[] = [];
  for (const table of tableNames) {
    const command = new ScanCommand({ TableName: runtime.tableNames[table] });
    do {
      const { Items = [], LastEvaluatedKey } = await runtime.client.send(command);
      texts.push(JSON.stringify(Items));
      command.input.ExclusiveStartKey = LastEvaluatedKey;
    } while (command.input.ExclusiveStartKey);
  }
  return texts.join('\n');
}

/** Runs the deletion at once: its waits are noted, not done. */
function operator(client = api.runtime.client) {
  const waits: number[] = [];
  let nowMs = Date.now();
  const runtime = {
    ...api.runtime,
    client,
    nowMs: () => nowMs,
    async sleep(ms: number) {
      waits.push(ms);
      nowMs += ms;
    },
  };
  const deletion = { organisationId: api.organisationId, confirm: 'Test' };
  return {
    runtime,
    waits,
    remove: (confirm = 'Test') => deleteOrganisation(runtime, { ...deletion, confirm }),
  };
}

beforeAll(async () => {
  api = await openFull();
  kept = await openFull();
  await suspend(api.runtime, api.organisationId);
  rewind = await remember(api);
});

test.each(kinds.map((kind) => [titleOf(kind), kind] as const))(
  'an item can be found by the organisation in its key: %s',
  (_, kind) => {
    const ulid = '01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    const [tenant, id] = [kind.tenant.replaceAll('…', ulid), kind.id.replaceAll('…', ulid)];
    // How far the scheduler has come belongs to nobody. The tombstone of an organisation stays.
    if (!`${tenant}${id}`.includes('org_')) expect([schedulerId, deletedTenant]).toContain(tenant);
    else expect(belongsTo(`org_${ulid}`, { tenant, id })).toBe(true);
  },
);

describe('a deletion', () => {
  test('leaves not a byte of the id in any table, and touches no other organisation', {
    tags: ['long'],
  }, async () => {
    await rewind();
    const before = await stored(kept);
    const full = (await stored(api)).filter(([, items]) => items.length > 0).map(([table]) => table);
    expect(full).toEqual(
      expect.arrayContaining(['messages', 'conversationSearch', 'schedule', 'idempotency']),
    );
    expect(await everything(api)).toContain(api.organisationId);
    expect(api.files.size).toBeGreaterThan(0);
    const { remove, waits } = operator();
    const proof = await remove();
    expect(api.files.size).toBe(0);
    expect(proof.map(({ table, left }) => [table, left])).toEqual(tableNames.map((table) => [table, 0]));
    expect(proof.filter(({ removed }) => removed > 0).map(({ table }) => table)).toEqual(full);
    expect(await everything(api)).not.toContain(api.organisationId.slice('org_'.length));
    expect(await stored(kept)).toEqual(before);
    expect((await api.call('GET', '/projects')).status).toBe(401);
    // Functions run for 15 minutes at most.
    expect(waits[0]).toBeGreaterThan(15 * minuteMs);
  });

  test('can be run again: it finds nothing, and asks for the id', { tags: ['long'] }, async () => {
    await rewind();
    await operator().remove();
    await expect(operator().remove()).rejects.toThrow('which does not exist any more');
    const proof = await operator().remove(api.organisationId);
    expect(proof.every(({ removed, left }) => removed === 0 && left === 0)).toBe(true);
  });

  test('removes what a restore of other tables has brought back', { tags: ['long'] }, async () => {
    await rewind();
    const { client, tableNames: names } = api.runtime;
    const Key = { tenant: api.organisationId, id: api.organisationId };
    await client.send(new DeleteCommand({ TableName: names.organisations, Key }));
    await operator().remove(api.organisationId);
    expect(await everything(api)).not.toContain(api.organisationId);
  });

  test('that is killed at any call is completed by the next run', { tags: ['nightly'] }, async () => {
    for (let calls = 1; ; calls += 4) {
      await rewind();
      const { client, life } = mortal(api.runtime.client);
      life.callsLeft = calls;
      life.afterwards = calls % 8 === 1;
      const died = await operator(client)
        .remove()
        .then(() => false)
        .catch((error: Error) => error.message === 'killed');
      if (!died) break;
      const isGone = (await storedOf(api, 'organisations')).length === 0;
      await operator().remove(isGone ? api.organisationId : 'Test');
      expect(await everything(api)).not.toContain(api.organisationId);
    }
  });

  test('waits only for what is left of the time since it began', { tags: ['long'] }, async () => {
    await rewind();
    const { client, life } = mortal(api.runtime.client);
    life.callsLeft = 3;
    const first = operator(client);
    await expect(first.remove()).rejects.toThrow('killed');
    const second = operator();
    second.runtime.nowMs = () => Date.now() + 10 * minuteMs;
    await deleteOrganisation(second.runtime, { organisationId: api.organisationId, confirm: 'Test' });
    expect(second.waits[0]).toBeLessThan(7 * minuteMs);
  });

  test('is not disturbed by late notices: from its begin on, workers write nothing', {
    tags: ['long'],
  }, async () => {
    const late = await openApi();
    await fill(late, { documents: 2, conversations: 3 });
    await suspend(late.runtime, late.organisationId);
    let delivered = 0;
    const { runtime, waits } = operator();
    async function sleep(ms: number) {
      waits.push(ms);
      if (waits.length > 1) return;
      const before = await stored(late);
      for (const { worker, notices } of await allNotices(late)) {
        await deliverNotices(late.runtime, worker, notices);
        delivered += notices.length;
      }
      expect(await stored(late)).toEqual(before);
    }
    await deleteOrganisation({ ...runtime, sleep }, { organisationId: late.organisationId, confirm: 'Test' });
    expect(delivered).toBeGreaterThan(10);
  });

  test.each([
    ['an active organisation', () => kept, 'Test', /is active\. Suspend it first/],
    ['no name', () => api, undefined, /add --confirm "Test"/],
    ['another name', () => api, 'test', /add --confirm "Test"/],
    ['its id instead of its name', () => api, 'id', /add --confirm "Test"/],
  ] as const)('is refused for %s, and removes nothing', async (_, which, confirm, message) => {
    await rewind();
    const of = which();
    const before = await stored(of);
    const said = confirm === 'id' ? of.organisationId : confirm;
    const deletion = { organisationId: of.organisationId, confirm: said };
    await expect(deleteOrganisation(operator().runtime, deletion)).rejects.toThrow(message);
    expect(await stored(of)).toEqual(before);
  });
});

describe('an export', () => {
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'export-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return join(folder, 'acme');
  };
  const linesOf = (folder: string, table: string): Json[] =>
    readFileSync(join(folder, `${table}.jsonl`), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Json);
  const keyOf = ({ tenant, id }: Json) => `${tenant} ${id}`;

  test('has every item of every table, and nothing that stands for a secret; only its owner can read it', async () => {
    const folder = newFolder();
    const manifest = await exportOrganisation(kept.runtime, { organisationId: kept.organisationId, folder });
    const secrets = (await storedOf(kept, 'apiKeys')).map(({ secretHash }) => `${secretHash}`);
    expect(secrets[0]).toMatch(/^[\w-]{43}$/);
    for (const [table, items] of await stored(kept)) {
      const lines = linesOf(folder, table);
      expect(lines.map(keyOf).sort(), table).toEqual(items.map(keyOf).sort());
      expect(manifest.tables.find((one) => one.table === table)?.items).toBe(items.length);
      const text = JSON.stringify(lines);
      for (const secret of [...secrets, ...leftOut.map((name) => `"${name}"`)])
        expect(text).not.toContain(secret);
    }
    expect(linesOf(folder, 'messages').map(({ text }) => text)).toContain('Where is my order?');
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('that is killed at any call continues, and has each item once', async () => {
    const folder = newFolder();
    const { client, life } = mortal(kept.runtime.client);
    const runtime = { ...kept.runtime, client };
    const options = { organisationId: kept.organisationId, folder, pageSize: 40 };
    let runs = 0;
    for (;;) {
      life.callsLeft = 3;
      runs += 1;
      const result = await exportOrganisation(runtime, options).catch((error: Error) => error);
      if (!(result instanceof Error)) break;
      expect(result.message).toBe('killed');
    }
    expect(runs).toBeGreaterThan(5);
    for (const [table, items] of await stored(kept)) {
      expect(linesOf(folder, table).map(keyOf).sort(), table).toEqual(items.map(keyOf).sort());
    }
    await expect(exportOrganisation(kept.runtime, options)).rejects.toThrow('has a complete export');
  });

  test('does not continue in the folder of another organisation', async () => {
    const folder = newFolder();
    const { client, life } = mortal(kept.runtime.client);
    life.callsLeft = 3;
    const { organisationId } = kept;
    await exportOrganisation({ ...kept.runtime, client }, { organisationId, folder }).catch(() => {});
    const other = { organisationId: api.organisationId, folder };
    await expect(exportOrganisation(kept.runtime, other)).rejects.toThrow(
      `has an export of ${organisationId}`,
    );
  });
});
