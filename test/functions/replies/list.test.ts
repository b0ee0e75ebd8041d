import { describe, expect, test } from 'vitest';
import type { Json } from '../../../samples/api.ts';
import { openReplies } from '../../support/replies.ts';
import { refuses, responds } from '../../support/responses.ts';

describe('replies.list', () => {
  responds(200, 'with the replies of the conversation, newest first, without their texts', async () => {
    const { deploy, converse, answered, ask, call } = await openReplies();
    const { id: deploymentId } = await deploy();
    const conversation = await converse({ deploymentId });
    const first = await answered(conversation, 'One?');
    const { data: second } = await ask(conversation, 'Two?');
    await ask(await converse({ deploymentId }), 'Elsewhere?');
    const response = await call('GET', `${conversation}/replies`);
    const items = response.data.items as Json[];
    expect(items.map(({ id, status }) => [id, status])).toEqual([
      [second.id, 'queued'],
      [first.id, 'done'],
    ]);
    const { text: _, nextAfter: __, request: ___, ...listed } = first;
    expect(items[1]).toEqual(listed);
    expect(response.data.nextCursor).toBeNull();
    return response;
  });

  test('has pages', async () => {
    const { deploy, converse, answered, call } = await openReplies();
    const { id: deploymentId } = await deploy();
    const conversation = await converse({ deploymentId });
    const ids = [];
    for (const text of ['One?', 'Two?', 'Three?']) ids.unshift((await answered(conversation, text)).id);
    const found = [];
    for (let cursor = ''; ; ) {
      const { data } = await call('GET', `${conversation}/replies?limit=1${cursor && `&cursor=${cursor}`}`);
      found.push(...(data.items as Json[]).map(({ id }) => id));
      if (data.nextCursor === null) break;
      cursor = encodeURIComponent(`${data.nextCursor}`);
    }
    expect(found).toEqual(ids);
  });

  test('a reply whose worker has stopped is unknown here, too', async () => {
    let check = async () => {};
    const { deploy, converse, ask, call, work, advance } = await openReplies(() => ({
      steps: ['One.', () => check()],
    }));
    const { id: deploymentId } = await deploy();
    const conversation = await converse({ deploymentId });
    await ask(conversation, 'One?');
    check = async () => {
      advance(31_000);
      const { data } = await call('GET', `${conversation}/replies`);
      expect(data.items).toMatchObject([{ status: 'unknown', failure: { code: 'worker_lost' } }]);
    };
    await work();
  });

  refuses('not_found', 'an unknown conversation', async () => {
    const { converse, call } = await openReplies();
    return call('GET', `${(await converse()).replace(/.{4}$/, '0000')}/replies`);
  });
});
