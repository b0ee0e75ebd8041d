/**
 * A rollout belongs to its project, and acts on behalf of a credential. Nothing moves without them, and nothing changes for users
 * meanwhile.
 */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../lib/base/time.ts';
import { storedOf } from '../../samples/api.ts';
import { deliverNotices, noticesOf } from '../../samples/lambda-queue.ts';
import { changeRecord } from '../../samples/stream-records.ts';
import keyRevoker from '../../workers/key-revoker.ts';
import rolloutMover from '../../workers/rollout-mover.ts';
import {
  openRelease,
  type Release,
  rolloutPath,
  storedRollout,
  twoSteps,
  unitsWith,
} from '../support/releases.ts';
import { dueNotices, runDue } from '../support/schedule.ts';
import { handleAll, resumeAndGoOn, suspendNow, waitingOf } from '../support/suspensions.ts';

const paused = { status: 'paused', percent: 10, reason: 'credential_revoked' };
const atFirstStep = { status: 'running', percent: 10, reason: null };
const atSecondStep = { status: 'waiting_for_advance', percent: 50, reason: null };

/** @returns what four units get */
async function served(api: Release, { id, percent }: { id: string; percent: number }) {
  const units = [...unitsWith('current', 2, { id, percent }), ...unitsWith('candidate', 2, { id, percent })];
  return Promise.all(units.map((unit) => api.config(unit)));
}

const revokeWithChildren = async (api: Release, id: string) => {
  await api.call('DELETE', `/api-keys/${id}?children=true`);
  await handleAll(api, keyRevoker, 'apiKeys', (key) => key.id === id);
};

describe('the credential', () => {
  test('expires or is revoked, and the rollout goes on', async () => {
    for (const ending of ['expiry', 'revocation']) {
      const api = await openRelease();
      const key = await api.createKey({ scopes: ['deploy:write'], expiresIn: '1h' });
      await api.start({ steps: twoSteps }, key.secret);
      if (ending === 'revocation') await api.call('DELETE', `/api-keys/${key.id}`);
      api.hold();
      await api.move();
      expect(await api.state()).toEqual(atSecondStep);
    }
  });

  test('is revoked with its children: the rollout pauses within the run of the worker, and another key lets it go on', async () => {
    const api = await openRelease();
    const [first, second] = [
      await api.createKey({ scopes: ['deploy:write'] }),
      await api.createKey({ scopes: ['deploy:write'] }),
    ];
    const rollout = await api.start({ steps: twoSteps }, first.secret);
    const before = await served(api, { id: rollout.id, percent: 10 });
    await revokeWithChildren(api, first.id);
    expect(await api.state()).toEqual(paused);
    expect(await served(api, { id: rollout.id, percent: 10 })).toEqual(before);
    api.hold();
    await api.move();
    expect(await api.state()).toEqual(paused);

    await api.send('PATCH', rolloutPath, { paused: false }, { key: second.secret });
    expect(await api.state()).toEqual(atFirstStep);
    // It does not act on behalf of the first key any more.
    await handleAll(api, keyRevoker, 'apiKeys', (key) => key.id === first.id);
    expect((await api.rollout()).status).toBe('running');
    await revokeWithChildren(api, second.id);
    expect(await api.state()).toEqual(paused);
  });

  test('is a child of the revoked one', async () => {
    const api = await openRelease();
    const parent = await api.createKey({ scopes: ['deploy:write', 'api-keys:write'] });
    const child = await api.createKey({ scopes: ['deploy:write'] }, parent.secret);
    await api.start({ steps: twoSteps }, child.secret);
    await revokeWithChildren(api, parent.id);
    expect(await api.state()).toEqual(paused);
  });

  test('loses the scope: the rollout pauses at its next move', async () => {
    const api = await openRelease();
    const key = await api.createKey({ scopes: ['deploy:write'] });
    const rollout = await api.start({ steps: twoSteps }, key.secret);
    const before = await served(api, { id: rollout.id, percent: 10 });
    await api.call('PATCH', `/api-keys/${key.id}`, { body: { scopes: ['deploy:read'] } });
    await api.move();
    expect(await api.state()).toEqual(atFirstStep);
    api.hold();
    await api.move();
    expect(await api.state()).toEqual(paused);
    expect(await served(api, { id: rollout.id, percent: 10 })).toEqual(before);
  });

  // No request takes them from a credential. A later version may.
  test.each(['projectIds', 'environments'] as const)('loses its %s', async (field) => {
    const api = await openRelease();
    const bound = { projectIds: [api.projectId], environments: ['production'] };
    const key = await api.createKey({ scopes: ['deploy:write'], ...bound });
    await api.start({ steps: twoSteps }, key.secret);
    const stored = (await storedOf(api, 'apiKeys')).find(({ id }) => id === key.id);
    const { client, tableNames } = api.runtime;
    const Item = { ...stored, [field]: ['another'] };
    await client.send(new PutCommand({ TableName: tableNames.apiKeys, Item }));
    api.hold();
    await api.move();
    expect(await api.state()).toEqual(paused);
  });
});

describe('a suspended organisation', () => {
  test('moves nothing, and its time does not count', async () => {
    const api = await openRelease();
    const { id } = await api.start();
    await api.move();
    api.advance(30 * minuteMs);
    await suspendNow(api);
    api.advance(10 * hourMs);
    await runDue(api);
    expect(await storedRollout(api, id)).toMatchObject({ status: 'running', percent: 10 });
    expect((await waitingOf(api)).map((item) => `${item.id}`.split('#').at(-1))).toContain(id);
    await resumeAndGoOn(api);
    expect(await api.state()).toEqual(atFirstStep);
    api.advance(28 * minuteMs);
    await runDue(api);
    expect(await api.state()).toEqual(atFirstStep);
    api.advance(3 * minuteMs);
    await runDue(api);
    expect(await api.state()).toEqual(atSecondStep);
  });

  test('waits without a timer for a step that had been held before', async () => {
    const api = await openRelease();
    const { id } = await api.start();
    api.hold();
    await suspendNow(api);
    await api.move();
    expect(await storedRollout(api, id)).toMatchObject({ status: 'running', percent: 10 });
    expect((await dueNotices(api)).filter((notice) => notice.id === id)).toEqual([]);
    await resumeAndGoOn(api);
    expect(await api.state()).toEqual(atSecondStep);
  });
});

describe('a deleted project', () => {
  /** The mover gets the change of the project, as its stream has it. */
  async function restored(api: Release) {
    await api.call('POST', `/projects/${api.projectId}/restore`);
    const project = (await storedOf(api, 'projects')).find(({ id }) => id === api.projectId);
    const records = [changeRecord(undefined, project)];
    await deliverNotices(api.runtime, rolloutMover, noticesOf(rolloutMover, records, 'projects'));
  }

  test('moves nothing, also at the time of a step, and goes on after its restore', async () => {
    const api = await openRelease();
    const { id } = await api.start();
    await api.move();
    await api.call('DELETE', `/projects/${api.projectId}`);
    api.hold();
    await runDue(api);
    expect(await storedRollout(api, id)).toMatchObject({ status: 'running', percent: 10, version: 1 });
    expect((await dueNotices(api)).filter((notice) => notice.id === id)).toEqual([]);
    await restored(api);
    expect(await api.state()).toEqual(atSecondStep);
  });

  test('gets the timer of a step again that is still held', async () => {
    const api = await openRelease();
    const { id } = await api.start();
    await api.move();
    await api.call('DELETE', `/projects/${api.projectId}`);
    await api.move();
    await restored(api);
    expect(await api.state()).toEqual(atFirstStep);
    expect((await dueNotices(api)).map((notice) => notice.id)).toContain(id);
    api.hold();
    await runDue(api);
    expect(await api.state()).toEqual(atSecondStep);
  });

  test('that is archived moves nothing', async () => {
    const api = await openRelease();
    const { id } = await api.start();
    await api.call('PATCH', `/projects/${api.projectId}`, { body: { status: 'archived' } });
    api.hold();
    await api.move();
    expect(await storedRollout(api, id)).toMatchObject({ status: 'running', percent: 10 });
  });
});
