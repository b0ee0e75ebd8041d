/** The part of the story that is about rollouts. */

import { hourMs } from '../../lib/base/time.ts';
import { assign, showAssignment } from '../../lib/rollouts/assign.ts';
import type { Json, TestApi } from '../../samples/api.ts';
import { avatarBody } from '../../samples/samples.ts';

type Story = { api: TestApi; settle(): Promise<void> };

/**
 * A rollout has a conversation of a unit, and completes by itself when both of its steps have been held. Another one completes when a
 * conversation is counted. A third one is paused and resumed by another credential, and aborted. The key of a fourth one is revoked.
 * @param hold delivers what is due of a rollout
 * @param countSuspended counts a conversation while the organisation is suspended
 */
export async function rollOut(
  { api, settle }: Story,
  project: string,
  { hold, countSuspended }: { hold(id: string): Promise<void>; countSuspended(id: string): Promise<void> },
): Promise<void> {
  const path = `/projects/${project}`;
  const send = async (method: string, below: string, body: Json, key = api.rootKey) => {
    const answer = await api.call(method, `${path}${below}`, { body, key });
    if (answer.status >= 300) throw new Error(answer.text);
    return answer.data;
  };
  await send('POST', '/avatars', avatarBody);
  const deploy = (promote: boolean) => send('POST', '/deployments', { environment: 'shop', promote });
  const current = await deploy(true);
  const { id: deploymentId } = await deploy(false);
  const rollout = '/environments/shop/rollout';
  const steps = [
    { percent: 10, holdMinutes: 60 },
    { percent: 50, holdMinutes: 60 },
  ];
  const talk = async (id: unknown, unit: string) => {
    const assignment = showAssignment(assign({ id: `${id}`, percent: 10, span: 1 }, unit));
    const conversation = await api.createConversation({ assignment }, project);
    await settle();
    await api.call('POST', `${conversation}/end`, { body: { reason: 'completed' } });
    return conversation;
  };
  const expectCompleted = async () => {
    const { data } = await api.call('GET', `${path}${rollout}`);
    if (data.status !== 'completed') throw new Error(`the rollout is ${data.status}`);
  };
  const { id } = await send('POST', rollout, { deploymentId, steps });
  await settle();
  await talk(id, 'anna');
  await settle();
  for (let step = 1; step <= steps.length; step += 1) {
    api.advance(hourMs);
    await hold(`${id}`);
    await settle();
  }
  await expectCompleted();
  const undone = await send('POST', rollout, { deploymentId: current.id, steps: steps.slice(0, 1) });
  await settle();
  api.advance(hourMs);
  // The counter moves a rollout whose time has come, too.
  await talk(undone.id, 'ben');
  await settle();
  await expectCompleted();
  const back = { deploymentId, percent: 10, guards: [] };
  await send('POST', rollout, back);
  await settle();
  const { secret } = await api.createKey({ scopes: ['deploy:write'] });
  await send('PATCH', rollout, { paused: true });
  await send('PATCH', rollout, { paused: false }, secret);
  await settle();
  await send('POST', `${rollout}/abort`, {});
  await settle();
  // A revocation with children pauses what the key has started.
  const key = await api.createKey({ scopes: ['deploy:write'] });
  const { id: paused } = await send('POST', rollout, back, key.secret);
  await settle();
  await api.call('DELETE', `/api-keys/${key.id}?children=true`);
  await settle();
  const conversation = await talk(paused, 'carla');
  await countSuspended(`${conversation.split('/').at(-1)}`);
  await settle();
  // The sums are rebuilt, with the units of both rollouts.
  await send('POST', '/conversations/reindex', {});
  await settle();
}
