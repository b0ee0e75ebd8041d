/** Which assignments a new conversation may have. */

import { describe, expect, test } from 'vitest';
import { assign, showAssignment } from '../../../lib/rollouts/assign.ts';
import { type Json, openApi, storedOf } from '../../../samples/api.ts';
import {
  assignmentOf,
  candidateId,
  currentId,
  openSpan,
  rolloutId,
  storeRollout,
  unitsOf,
} from '../../support/stored-rollouts.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const assignment = assignmentOf('candidate');
const other = assignmentOf('current');
const hash = assignment.slice(-16);
const strange = 'dep_01JZ4Y7Q8R5T2V9W3X6B0C1D4G';

async function openRollout(rollout: Json = {}) {
  const api = await openApi();
  const project = await api.createProject();
  await storeRollout(api, project, rollout);
  const list = `/projects/${project}/conversations`;
  const send = {
    POST: (body: Json, key?: string) =>
      api.call('POST', list, { body: { avatarId, ...body }, ...(key !== undefined && { key }) }),
    PUT: (body: Json, key?: string) =>
      api.call('PUT', `${list}/by-external-id/call`, {
        body: { avatarId, ...body },
        ...(key !== undefined && { key }),
      }),
  };
  return { ...api, api, project, list, send };
}

const methods = ['POST', 'PUT'] as const;

describe.each(methods)('%s', (method) => {
  const wrong: [string, Json, string][] = [
    ['no text', { assignment: 1 }, 'assignment'],
    ['an empty text', { assignment: '' }, 'assignment'],
    ['the unit itself', { assignment: 'user-1' }, 'assignment'],
    ['a hash in capitals', { assignment: `${rolloutId}.1.current.${'A'.repeat(16)}` }, 'assignment'],
    ['a hash of 15 digits', { assignment: assignment.slice(0, -1) }, 'assignment'],
    ['something behind it', { assignment: `${assignment} ` }, 'assignment'],
    ['an unknown variant', { assignment: `${rolloutId}.1.other.${hash}` }, 'assignment'],
    ['the span 0', { assignment: `${rolloutId}.0.candidate.${hash}` }, 'assignment'],
    ['the span 21', { assignment: `${rolloutId}.21.candidate.${hash}` }, 'assignment'],
    [
      'an unknown rollout',
      { assignment: assignmentOf('candidate', 0, { id: `${rolloutId.slice(0, -1)}G` }) },
      'assignment',
    ],
    ['a span that has not begun', { assignment: `${rolloutId}.2.candidate.${hash}` }, 'assignment'],
    ['the other variant', { assignment: `${rolloutId}.1.current.${hash}` }, 'assignment'],
    [
      'the hash of the other variant',
      { assignment: `${rolloutId}.1.candidate.${other.slice(-16)}` },
      'assignment',
    ],
    ['another deployment', { assignment, deploymentId: strange }, 'deploymentId'],
    ['the deployment of the other variant', { assignment, deploymentId: currentId }, 'deploymentId'],
    ['the deployment of the candidate', { assignment: other, deploymentId: candidateId }, 'deploymentId'],
    ['no deployment', { assignment, deploymentId: null }, 'deploymentId'],
  ];
  test.each(wrong)('400 with a path: %s', async (_, body, path) => {
    const { api, send } = await openRollout();
    const response = await send[method](body);
    expect(response.status, response.text).toBe(400);
    expect(response.error.code).toBe('validation_error');
    expect(response.error.details?.map((detail) => detail.path)).toEqual([path]);
    expect(await storedOf(api, 'conversations')).toEqual([]);
  });

  test('400: an assignment of another project', async () => {
    const { api, project, createProject, call } = await openRollout();
    const another = `/projects/${await createProject()}/conversations`;
    const path = method === 'POST' ? another : `${another}/by-external-id/call`;
    const response = await call(method, path, { body: { avatarId, assignment } });
    expect(response.error.details?.map((detail) => detail.path)).toEqual(['assignment']);
    expect(project).not.toBe(another);
    expect(await unitsOf(api)).toEqual([]);
  });

  test('400: an assignment of another environment than those of the key, as if it were unknown', async () => {
    const { createKey, send } = await openRollout();
    const keyOf = async (environments: string[]) =>
      (await createKey({ scopes: ['conversations:write'], environments })).secret;
    const refused = await send[method]({ assignment }, await keyOf(['staging']));
    const unknown = await send[method]({
      assignment: assignmentOf('candidate', 0, { id: `${rolloutId.slice(0, -1)}G` }),
    });
    expect(refused.status).toBe(400);
    expect(refused.error.details).toEqual(unknown.error.details);
    expect((await send[method]({ assignment }, await keyOf(['staging', 'production']))).status).toBe(201);
  });

  test('an assignment of each variant, with or without its deployment', async () => {
    const spans = [openSpan(1, 20, new Date().toISOString()), openSpan(2, 99.99)];
    const { send } = await openRollout({ spans });
    for (const [span, percent] of [
      [1, 20],
      [2, 99.99],
    ] as const) {
      const made = assign({ id: rolloutId, span, percent }, 'user-1');
      const deploymentId = made.variant === 'candidate' ? candidateId : currentId;
      const text = showAssignment(made);
      for (const body of [{ assignment: text }, { assignment: text, deploymentId }]) {
        const response = await send.POST(body);
        expect(response.data, response.text).toMatchObject({ assignment: text, deploymentId });
      }
    }
  });

  test('an assignment of a rollout that has ended is stored', async () => {
    const { send } = await openRollout({ endedAt: '2026-01-01T00:00:00.000Z' });
    const { status, data } = await send[method]({ assignment });
    expect(status).toBe(201);
    expect(data.conversation ?? data).toMatchObject({
      assignment,
      counted: false,
      deploymentId: candidateId,
    });
  });
});

test('a PUT with another assignment is refused, and one that the rollout has not made is invalid', async () => {
  const { send } = await openRollout();
  expect((await send.PUT({ assignment })).status).toBe(201);
  for (const differing of [other, assignmentOf('candidate', 1), null]) {
    const { error } = await send.PUT({ assignment: differing });
    expect(error.code).toBe('conversation_mismatch');
    expect(error.message).toContain('assignment');
  }
  const { error } = await send.PUT({ assignment: `${rolloutId}.1.current.${hash}` });
  expect(error.code).toBe('validation_error');
  const mismatch = await send.PUT({ assignment, deploymentId: currentId });
  expect(mismatch.error.code).toBe('conversation_mismatch');
});

test('a PUT cannot give an assignment to a conversation without one', async () => {
  const { send } = await openRollout();
  expect((await send.PUT({ deploymentId: candidateId })).status).toBe(201);
  const { error } = await send.PUT({ deploymentId: candidateId, assignment });
  expect(error.message).toContain('assignment');
  expect((await send.PUT({ deploymentId: candidateId, assignment: null })).status).toBe(200);
});

test('an import has no assignment', async () => {
  const { call, list } = await openRollout();
  const startedAt = '2026-03-01T10:00:00.000Z';
  const conversation = { avatarId, externalId: 'a', startedAt, messages: [] };
  const sent = (more: Json) =>
    call('POST', `${list}/import`, { body: { conversations: [{ ...conversation, ...more }] } });
  expect((await sent({ assignment })).status).toBe(400);
  expect((await sent({})).status).toBeLessThan(300);
});
