import { describe, expect } from 'vitest';
import { assign, showAssignment } from '../../../lib/rollouts/assign.ts';
import { refuses, responds } from '../../support/responses.ts';
import { guardOf, openRollouts, rolloutPath } from '../../support/started-rollouts.ts';

const none = {
  current: { units: 0, open: 0, unknown: null, mean: null },
  candidate: { units: 0, open: 0, unknown: null, mean: null },
  difference: null,
  low: null,
  high: null,
};

describe('rollouts.get', () => {
  responds(200, 'with the rollout that runs, and a comparison of nothing', async () => {
    const api = await openRollouts();
    await api.createEvaluator('solved');
    const rollout = await api.started({ guards: [guardOf()] });
    const response = await api.send('GET', rolloutPath);
    expect(response.headers.ETag).toBe('"1"');
    expect(response.data).toEqual({
      ...rollout,
      comparison: {
        units: { current: 0, candidate: 0 },
        notAssigned: 0,
        guards: [
          {
            score: 'solved',
            value: null,
            verdict: 'undecided',
            undecidedReason: 'nothing_evaluated',
            ...none,
          },
        ],
        durationSeconds: none,
        messages: none,
      },
    });
    return response;
  });

  responds(200, 'with the units, their conversations, and those without an assignment', async () => {
    const api = await openRollouts();
    // Before the start, so it is not part of the rollout.
    const converse = (body: Record<string, unknown>) =>
      api.createConversation({ avatarId: api.avatarId, ...body }, api.projectId);
    await converse({ deploymentId: api.current.id });
    await api.countConversations(api.projectId);
    const { id } = await api.started({ percent: 50 });
    const assignments = Array.from({ length: 12 }, (_, n) =>
      assign({ id: `${id}`, span: 1, percent: 50 }, `user-${n}`),
    );
    const paths: string[] = [];
    for (const one of assignments) paths.push(await converse({ assignment: showAssignment(one) }));
    for (const path of paths.slice(0, 9)) {
      await api.call('POST', `${path}/messages`, { body: { messages: [{ role: 'user', text: 'Hi.' }] } });
      await api.call('POST', `${path}/end`, { body: { reason: 'completed' } });
    }
    await converse({ deploymentId: api.candidate.id });
    await api.countConversations(api.projectId);
    const response = await api.send('GET', rolloutPath);
    const count = (variant: string, some = assignments) =>
      some.filter((one) => one.variant === variant).length;
    const open = assignments.slice(9);
    const side = (variant: string) => ({ units: count(variant), open: count(variant, open), mean: 1 });
    expect(response.data.comparison).toMatchObject({
      units: { current: count('current'), candidate: count('candidate') },
      notAssigned: 1,
      messages: {
        current: side('current'),
        candidate: side('candidate'),
        difference: 0,
        // Fewer than 20 on each side say nothing.
        low: null,
        high: null,
      },
    });
    expect(count('current')).toBeGreaterThan(0);
    expect(count('candidate')).toBeGreaterThan(0);
    return response;
  });

  responds(200, 'with the last one, after its end', async () => {
    const api = await openRollouts();
    await api.started();
    await api.move('abort');
    const { id } = await api.started({ percent: 20 });
    await api.move('abort', { reason: 'It greets strangers.' });
    const response = await api.send('GET', rolloutPath);
    expect(response.data).toMatchObject({ id, status: 'aborted', reason: 'It greets strangers.' });
    return response;
  });

  refuses('not_found', 'an environment without a rollout, and an unknown environment', async () => {
    const api = await openRollouts();
    expect((await api.send('GET', '/environments/staging/rollout')).error.code).toBe('not_found');
    return api.send('GET', rolloutPath);
  });
});
