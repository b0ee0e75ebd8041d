/** Imports of files: each conversation once, whatever happens to links and connections. */

import type { Fetch } from '../../../../clients/typescript/src/index.ts';
import { type Context, collect, equal, ok, rejection, type Scenarios } from '../scenario.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
const startedAt = '2026-03-01T10:00:00.000Z';
const conversation = (number: number) => ({
  externalId: `call-${number}`,
  avatarId,
  startedAt,
  endedAt: '2026-03-01T10:05:00.000Z',
  messages: [{ role: 'user' as const, text: `${number} ü🙂`, at: startedAt }],
});
const conversations = Array.from({ length: 6 }, (_, number) => conversation(number));

/** @returns the result of the job that is done meanwhile */
async function done({ control }: Context, projectId: string, project: Project, job: { id: string }) {
  await control('import', { project: projectId, job: job.id });
  const ended = await project.jobs.waitForSuccess(job);
  ok(ended.type === 'conversations.import', ended.type);
  return ended.result;
}
type Project = Awaited<ReturnType<Context['newProject']>>['project'];

/** A client that may change what happens to the upload of a file. */
function uploading(
  { client, origin, apiKey }: Context,
  put: (send: () => Promise<Response>, init: RequestInit) => Promise<Response>,
) {
  const fetch: Fetch = (url, init) => {
    const send = () => globalThis.fetch(url, init);
    return url.includes('/files/') && init.method === 'PUT' ? put(send, init) : send();
  };
  return new client.Platform({ apiKey, baseUrl: `${origin}/api/v1`, fetch });
}

export const importScenarios: Scenarios = {
  'importLines stores each conversation once with faults, and again changes nothing': async (context) => {
    const { newProject, control } = context;
    const { id, project } = await newProject();
    for (const expected of [
      { created: 6, unchanged: 0 },
      { created: 0, unchanged: 6 },
    ]) {
      await control('faults', { rate: 0.4, seed: 5 });
      const job = await project.conversations.importLines(conversations);
      const result = await done(context, id, project, job);
      await control('faults');
      equal(result, { ...expected, failed: 0, errors: [] });
    }
    const stored = await collect(project.conversations.list());
    equal(
      stored.map(({ externalId }) => externalId).sort(),
      conversations.map(({ externalId }) => externalId),
    );
    const [message] = await collect(project.conversations.messages(stored[0]?.id ?? ''));
    ok(/ ü🙂$/.test(message?.text ?? ''), message?.text ?? '');
  },

  'importLines takes a file, and the result has the lines that failed': async (context) => {
    const { id, project } = await context.newProject();
    const lines = [conversation(1), { ...conversation(2), avatarId: 'nobody' }, conversation(3)];
    const file = new Blob([lines.map((line) => `${JSON.stringify(line)}\n`).join('')]);
    const result = await done(context, id, project, await project.conversations.importLines(file));
    equal([result.created, result.failed, result.errors.map(({ line }) => line)], [2, 1, [2]]);
  },

  'importLines takes the lines of an export': async (context) => {
    const { newProject, control } = context;
    const { id, project } = await newProject();
    await done(context, id, project, await project.conversations.importLines(conversations));
    const exported = await project.exports.create({ what: 'conversations' });
    await control('export', { project: id, job: exported.id });
    const copy = await newProject();
    const job = await copy.project.conversations.importLines(project.exports.lines(exported));
    equal((await done(context, copy.id, copy.project, job)).created, 6);
    const texts = async (one: Project) => {
      const all: string[] = [];
      for await (const { id: each } of one.conversations.list())
        for await (const { text } of one.conversations.messages(each)) all.push(text);
      return all.sort();
    };
    equal(await texts(copy.project), await texts(project));
  },

  'a link whose time is over is renewed, and no upload has the key': async (context) => {
    const { id, project } = await context.newProject();
    const sent: RequestInit[] = [];
    const platform = uploading(context, async (send, init) => {
      if (sent.push(init) === 1) await context.control('advance', { ms: 16 * 60_000 });
      return send();
    });
    const job = await platform.projects(id).conversations.importLines(conversations);
    equal((await done(context, id, project, job)).created, 6);
    equal(sent.length, 2);
    const headers = JSON.stringify(sent.map((init) => [...new Headers(init.headers)]));
    ok(!/authorization|sk_/i.test(headers), headers);
  },

  'an upload that is refused again, or whose source fails, is an error without the link': async (context) => {
    const { id } = await context.newProject();
    let puts = 0;
    const platform = uploading(context, async () => {
      puts += 1;
      return new Response(null, { status: 403 });
    });
    const { conversations: refused } = platform.projects(id);
    const error = await rejection(refused.importLines(conversations));
    ok(error instanceof context.client.ConnectionError && /status 403/.test(error.message), error.message);
    ok(!`${error.message}${error.stack}`.includes('until='), error.message);
    equal(puts, 2);
    async function* failing() {
      yield conversation(1);
      throw new Error('the source failed');
    }
    equal((await rejection(refused.importLines(failing()))).message, 'the source failed');
  },
};
