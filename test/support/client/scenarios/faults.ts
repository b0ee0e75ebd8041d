/** Faults between client and service. */

import type { ProjectResources } from '../../../../clients/typescript/src/index.ts';
import { faults } from '../fault.ts';
import { type Context, collect, equal, ok, rejection, type Scenarios } from '../scenario.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

async function seqs(project: ProjectResources, conversation: string) {
  return (await collect(project.conversations.messages(conversation))).map(({ seq, text }) => [seq, text]);
}

/** POSTs of the API that create something, one for each kind, with how many there are then. The fault happens to each. */
async function everyPost({ platform, newProject, control }: Context, fault: string): Promise<void> {
  const { project } = await newProject();
  const name = `by ${fault} ${Math.random()}`;
  const idsIn = async (
    list: AsyncIterable<{ id: string; name?: string }>,
    own: (one: { name?: string }) => boolean = () => true,
  ) => (await collect(list)).filter(own).map(({ id }) => id);
  const isNamed = (one: { name?: string }) => one.name === name;

  // All at once: a request whose body stalls takes long. A browser sends six at once.
  await control('faults', { next: Array(6).fill(fault) });
  const [created, key, avatar, document, conversation, job] = await Promise.all([
    platform.projects.create({ name }),
    platform.apiKeys.create({ name, scopes: ['projects:read'] }),
    project.avatars.create({ name, persona: { prompt: 'You are Ada.' } }),
    project.knowledge.documents.create({ title: name, content: 'a' }),
    project.conversations.create({ avatarId }),
    project.knowledge.reindex(),
  ]);
  equal(await idsIn(platform.projects.list({ limit: 100 }), isNamed), [created.id], 'projects');
  equal(await idsIn(platform.apiKeys.list({ limit: 100 }), isNamed), [key.id], 'keys');
  ok(key.secret.startsWith('sk_live_'), 'the secret has arrived');
  equal(await idsIn(project.avatars.list()), [avatar.id], 'avatars');
  equal(await idsIn(project.knowledge.documents.list()), [document.id], 'documents');
  equal(await idsIn(project.conversations.list()), [conversation.id], 'conversations');
  equal(await idsIn(project.jobs.list()), [job.id], 'jobs');

  await control('faults', { next: [fault, fault] });
  const texts = ['a', 'b'];
  const [deployment] = await Promise.all([
    project.deployments.create({ environment: 'production' }),
    project.conversations.append(conversation.id, {
      messages: texts.map((text) => ({ role: 'user', text })),
    }),
  ]);
  equal(await idsIn(project.deployments.list()), [deployment.id], 'deployments');
  equal(
    await seqs(project, conversation.id),
    texts.map((text, index) => [index + 1, text]),
    'messages',
  );
  await control('faults');
}

export const faultScenarios: Scenarios = {
  ...Object.fromEntries(
    faults.map((fault): [string, (context: Context) => Promise<void>] => [
      `every POST takes effect once: ${fault}`,
      (context) => everyPost(context, fault),
    ]),
  ),

  'forty POSTs at once take effect once each, with random faults': async ({ newProject, control }) => {
    const { project } = await newProject();
    await control('faults', { rate: 0.4, seed: 7 });
    const titles = Array.from({ length: 40 }, (_, index) => `document ${index}`);
    const created = await Promise.all(
      titles.map((title) => project.knowledge.documents.create({ title, content: title })),
    );
    await control('faults');
    const stored = await collect(project.knowledge.documents.list({ limit: 100 }));
    equal(stored.map(({ title }) => title).sort(), [...titles].sort());
    equal(new Set(created.map(({ id }) => id)).size, 40);
  },

  'append stores each message once and in order, with random faults': async ({ newProject, control }) => {
    const { project } = await newProject();
    const { id } = await project.conversations.create({ avatarId });
    await control('faults', { rate: 0.5, seed: 11 });
    for (let count = 1; count <= 10; count += 1) {
      const { messages } = await project.conversations.append(id, {
        messages: [{ role: 'user', text: `${count}` }],
      });
      equal(
        messages.map(({ seq }) => seq),
        [count],
      );
    }
    await control('faults');
    equal(
      await seqs(project, id),
      Array.from({ length: 10 }, (_, index) => [index + 1, `${index + 1}`]),
    );
  },

  'duplicates with one Idempotency-Key at once get one response, with random faults': async ({
    newProject,
    control,
  }) => {
    const { project } = await newProject();
    await control('faults', { rate: 0.3, seed: 5 });
    const all = await Promise.all(
      Array.from({ length: 20 }, () =>
        project.knowledge.documents
          .create({ title: 'one', content: 'a' }, { idempotencyKey: 'the same' })
          .withResponse(),
      ),
    );
    await control('faults');
    equal(new Set(all.map(({ data }) => data.id)).size, 1);
    ok(
      all.some(({ replayed }) => replayed),
      'some were replayed',
    );
    equal((await collect(project.knowledge.documents.list())).length, 1);
    const other = project.knowledge.documents.create(
      { title: 'two', content: 'a' },
      { idempotencyKey: 'the same' },
    );
    equal((await rejection(other)).name, 'IdempotencyKeyReusedError');
  },

  'a DELETE whose response was lost rejects with 404, and says that it was sent twice': async ({
    newProject,
    control,
  }) => {
    const { project } = await newProject();
    const { id } = await project.knowledge.documents.create({ title: 'a', content: 'a' });
    // Not a closed connection: Bun and browsers may repeat the request themselves then.
    await control('faults', { next: ['500 after'] });
    const error = await rejection(project.knowledge.documents.delete(id));
    equal([error.name, (error.attempts as number) > 1], ['NotFoundError', true]);
  },

  'calls go on after a restart of the server': async ({ newProject, control }) => {
    const { project } = await newProject();
    await control('restart', { ms: 500 });
    for (let count = 0; count < 20; count += 1)
      await project.knowledge.documents.put(`${count}`, { title: 'a', content: `${count}` });
    equal((await collect(project.knowledge.documents.list({ limit: 100 }))).length, 20);
  },
};
