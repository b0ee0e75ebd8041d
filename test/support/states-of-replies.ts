/** Requests to replies in states that the samples do not have: an endpoint reads and writes other items then. */

import { minuteMs, secondMs } from '../../lib/base/time.ts';
import { type Json, type TestApi, testRuntime } from '../../samples/api.ts';
import { sampleOf } from '../../samples/samples.ts';
import type { FurtherRequest } from './states-of-rollouts.ts';
import { storeReply } from './stored-replies.ts';

const question = { input: { text: 'And abroad?' } };

/** @returns the path of the replies of a new conversation without a deployment, with the avatar of the sample */
async function undeployed(api: TestApi): Promise<string> {
  const { path } = await sampleOf('replies.create', api);
  const { avatarId } = (await api.call('GET', path.replace(/\/replies$/, ''))).data;
  const [, , project] = path.split('/');
  return `${await api.createConversation({ avatarId }, project)}/replies`;
}

/** @returns the paths of a reply with a message, of one that has only parts, and of a dry run */
async function ended(api: TestApi): Promise<string[]> {
  const { path } = await sampleOf('replies.create', api);
  const conversation = path.replace(/\/replies$/, '');
  const withMessage = await storeReply(api, conversation);
  await withMessage.end({ status: 'done', messageSeq: 1 });
  const withParts = await storeReply(api, conversation);
  await withParts.say('Some');
  await withParts.end({ status: 'failed' });
  const dryRun = await storeReply(api, conversation);
  await dryRun.end({ status: 'done', dryRun: true });
  return [withMessage, withParts, dryRun].map((reply) => reply.path);
}

/** @returns the path of a reply that runs for a moment. The client that ends it is not noted */
async function endingSoon(api: TestApi): Promise<string> {
  const { path } = await sampleOf('replies.create', api);
  const { client } = testRuntime();
  const reply = await storeReply(
    { runtime: { ...api.runtime, client }, organisationId: api.organisationId },
    path.replace(/\/replies$/, ''),
  );
  setTimeout(() => void reply.end({ status: 'failed' }), secondMs);
  return reply.path;
}

/** By endpoint. Each prepares its states, and returns its requests. */
export const furtherReplies: Readonly<Record<string, (api: TestApi) => Promise<FurtherRequest[]>>> = {
  'replies.create': async (api) => {
    const { path } = await sampleOf('replies.create', api);
    await api.call('POST', path, { body: question });
    // Nobody takes the first reply, so it no longer keeps the user from asking.
    api.advance(2 * minuteMs);
    const dryRun: Json = { ...question, dryRun: true };
    const target = { environment: 'production' };
    return [
      { path, body: dryRun },
      { path, body: question },
      { path: await undeployed(api), body: { ...question, target } },
    ];
  },
  'replies.get': async (api) => (await ended(api)).map((path) => ({ path })),
  'replies.events': async (api) => {
    const paths = [...(await ended(api)), await endingSoon(api)];
    return paths.map((path) => ({ path: `${path}/events` }));
  },
};
