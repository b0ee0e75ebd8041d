/** Faults between client and service. */

import type { ProjectResources } from '../../../../client/src/index.ts';
import { faults } from '../fault.ts';
import { type Context, collect, equal, ok, rejection, type Scenarios } from '../scenario.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

async function seqs(project: ProjectResources, conversation: string) {
  return (await collect(project.conversations.messages(conversation))).map(({ seq, text }) => [seq, text]);
}

/** Every POST of the API that creates something, with how many there are then. */
async function everyPost({ platform, newProject, control }: Context, fault: string): Promise<void> {
  const { project } = await newProject();
  const next = () => control('faults', { next: [fault] });
  const name = `by ${fault} ${Math.random()}`;

  await next();
  const created = await platform.projects.create({ name });
  const projects = await collect(platform.projects.list({ limit: 100 }));
  equal(
    projects.filter((one) => one.name === name).map(({ id }) => id),
    [created.id],
    'projects',
  );

  await next();
  const key = await platform.apiKeys.create({ name, scopes: ['projects:read'] });
  const keys = await collect(platform.apiKeys.list({ limit: 100 }));
  equal(
    keys.filter((one) => one.name === name).map(({ id }) => id),
    [key.id],
    'keys',
  );
  ok(key.secret.startsWith('sk_live_'), 'the secret has arrived');

  await next();
  const avatar = await project.avatars.create({ name, persona: { prompt: 'You are Ada.' } });
  equal(
    (await collect(project.avatars.list())).map(({ id }) => id),
    [avatar.id],
    'avatars',
  );

  await next();
  const document = await project.knowledge.documents.create({ title: name, content: 'a' });
  equal(
    (await collect(project.knowledge.documents.list())).map(({ id }) => id),
    [document.id],
    'documents',
  );

  await next();
  const deployment = await project.deployments.create({ environment: 'production' });
  equal(
    (await collect(project.deployments.list())).map(({ id }) => id),
    [deployment.id],
    'deployments',
  );

  await next();
  const conversation = await project.conversations.create({ avatarId });
  equal(
    (await collect(project.conversations.list())).map(({ id }) => id),
    [conversation.id],
    'conversations',
  );

  await next();
  await project.conversations.append(conversation.id, {
    messages: [
      { role: 'user', text: 'a' },
      { role: 'user', text: 'b' },
    ],
  });
  equal(
    await seqs(project, conversation.id),
    [
      [1, 'a'],
      [2, 'b'],
    ],
    'messages',
  );

  await next();
  const job = await project.knowledge.reindex();
  equal(
    (await collect(project.jobs.list())).map(({ id }) => id),
    [job.id],
    'jobs',
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
    await control('restart', { ms: 1500 });
    for (let count = 0; count < 20; count += 1)
      await project.knowledge.documents.put(`${count}`, { title: 'a', content: `${count}` });
    equal((await collect(project.knowledge.documents.list({ limit: 100 }))).length, 20);
  },
};
