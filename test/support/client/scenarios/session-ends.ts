/** What happens to sessions whose credential, user, project, organisation or conversation goes away meanwhile. Only where there are files. */

import type { Context, Scenarios } from '../scenario.ts';
import { collect, equal, ok } from '../scenario.ts';
import { withFiles } from './session-files.ts';
import { deployed, sessionError, turn, turns } from './sessions.ts';

/** A session with two turns: the service has the first, and the journal has the second. */
async function openCut(context: Context, folder: string, apiKey?: string) {
  const found = await deployed(context);
  const { fs, journals } = await withFiles(folder);
  const process = found.start(apiKey);
  const session = await process.open('call-1', { folder, patienceMs: 2000 });
  await turn(session, 1);
  await session.flush();
  process.cut(true);
  equal(await turn(session, 2), 'buffered');
  const configs = () => fs.readdirSync(folder).filter((name) => name.startsWith('config-'));
  const recover = async (key: string) => {
    const { runtime } = found.start(key);
    const recovered = await context.runtime.recoverSessions(runtime, { folder });
    return recovered.map(({ messages, error }) => [messages, error?.code ?? 'sent']);
  };
  return { ...found, ...process, fs, journals, configs, session, recover };
}

/** The service is back, and the session has an end. */
const endOf = async ({ session, cut }: Awaited<ReturnType<typeof openCut>>) => {
  cut(false);
  const error = await sessionError(session.flush());
  equal((await sessionError(turn(session, 3))).code, error.code);
  return [error.code, error.unsent.map(({ text }) => text)];
};

const second = turns(2).slice(2);

export const sessionEndScenarios: Scenarios = {
  'an identity that is deleted ends its sessions': async (context) => {
    const { folder, control, platform } = context;
    if (!folder) return;
    const { id: project, start, transcript } = await deployed(context);
    const { journals } = await withFiles(folder);
    const { id, token } = await control('identity', { project });
    const session = await start(`${token}`).open('call-1', { folder });
    await turn(session, 1);
    await platform.workloadIdentities.delete(`${id}`, {});
    const error = await sessionError(turn(session, 2));
    equal([error.code, error.unsent.length, journals().length], ['unauthorized', 2, 1]);
    equal((await sessionError(session.end())).code, 'unauthorized');
    // The conversation belongs to the identity.
    const other = await control('identity', { project });
    const open = start(`${other.token}`).open('call-1', { folder });
    equal((await sessionError(open)).code, 'external_id_taken');
    equal([journals().length, await transcript(session.conversationId)], [1, turns(1)]);
  },

  'the end of the creator of a key ends the sessions of the key': async (context) => {
    const { folder, control, platform, client, origin } = context;
    if (!folder) return;
    const { id, start, transcript } = await deployed(context);
    const { journals } = await withFiles(folder);
    const bound = { projectIds: [id] };
    const creator = await platform.apiKeys.create({
      ...bound,
      name: 'creator',
      scopes: ['api-keys:write', 'runtime:write'],
    });
    const child = await new client.Platform({
      apiKey: creator.secret,
      baseUrl: `${origin}/api/v1`,
    }).apiKeys.create({ ...bound, name: 'child', scopes: ['runtime:write'] });
    const session = await start(child.secret).open('call-1', { folder });
    await turn(session, 1);
    await platform.apiKeys.revoke(creator.id, { children: 'true' });
    await control('revokeChildren', { id: creator.id });
    const error = await sessionError(turn(session, 2));
    equal([error.code, error.unsent.length, journals().length], ['unauthorized', 2, 1]);
    equal(await transcript(session.conversationId), turns(1));
  },

  'a suspended organisation ends a session, and another session goes on after it': async (context) => {
    const { folder, control } = context;
    if (!folder) return;
    const opened = await openCut(context, folder);
    const { open, journals, configs, transcript, session } = opened;
    await control('suspend');
    try {
      equal(await endOf(opened), ['organisation_suspended', second]);
      equal([journals().length, configs()], [1, []]);
      equal((await sessionError(open('call-1', { folder }))).code, 'organisation_suspended');
    } finally {
      await control('resume');
    }
    const resumed = await open('call-1', { folder });
    await turn(resumed, 3);
    await resumed.end();
    equal([await transcript(session.conversationId), journals()], [turns(3), []]);
  },

  'an erased user ends a session and empties its journal': async (context) => {
    const { folder, control } = context;
    if (!folder) return;
    // What is left of a conversation does not name an access token.
    const { token } = await control('accessToken', { subject: 'a runtime' });
    for (const [index, apiKey] of [undefined, `${token}`].entries()) {
      const opened = await openCut(context, `${folder}/${index}`, apiKey);
      const { id } = await opened.project.conversations.erase({ externalUserId: 'customer-1' });
      await control('eraseUser', { id });
      equal(await endOf(opened), ['conversation_erased', second]);
      equal(opened.journals(), []);
    }
  },

  'the journal of a deleted project stays for a week, and is sent if the project is restored': async (
    context,
  ) => {
    const { folder, platform } = context;
    if (!folder) return;
    const opened = await openCut(context, folder);
    const { id, key, fs, journals, recover, transcript, session, open } = opened;
    await platform.projects.delete(id, {});
    equal(await endOf(opened), ['not_found', second]);
    equal((await sessionError(open('call-1', { folder }))).code, 'not_found');
    equal([await recover(key.secret), journals().length], [[[2, 'not_found']], 1]);
    await platform.projects.restore(id);
    equal([await recover(key.secret), journals()], [[[2, 'sent']], []]);
    equal(await transcript(session.conversationId), turns(2));

    const again = await opened.open('call-1', { folder, patienceMs: 2000 });
    await again.flush();
    opened.cut(true);
    await turn(again, 3);
    await again.close();
    opened.cut(false);
    await platform.projects.delete(id, {});
    const path = `${folder}/${journals()[0]}`;
    for (const [hours, left] of [
      [7 * 24 - 1, 1],
      [7 * 24 + 1, 0],
    ] as const) {
      const at = new Date(Date.now() - hours * 3_600_000).toISOString();
      const text = fs.readFileSync(path, 'utf8');
      fs.writeFileSync(path, text.replace(/"at":"[^"]*"/g, `"at":"${at}"`));
      equal([await recover(key.secret), journals().length], [[[2, 'not_found']], left]);
    }
  },

  'a key that does not see the project leaves the journal to another key': async (context) => {
    const { folder, platform, newProject } = context;
    if (!folder) return;
    let secret = '';
    const found = await deployed(context);
    const elsewhere = await found.newKey((await newProject()).id);
    const { fs, journals } = await withFiles(folder);
    secret = found.key.secret;
    const { open, cut } = found.start(() => secret);
    const session = await open('call-1', { folder, patienceMs: 2000 });
    await turn(session, 1);
    await session.flush();
    cut(true);
    await turn(session, 2);
    cut(false);
    secret = elsewhere.secret;
    const error = await sessionError(session.flush());
    equal([error.code, error.unsent.length, journals().length], ['not_found', 2, 1]);
    ok(error.message.includes('may not see it'), error.message);
    const recover = async (apiKey: string) =>
      (await context.runtime.recoverSessions(found.start(apiKey).runtime, { folder })).map(
        ({ error }) => error?.code ?? 'sent',
      );
    equal([await recover(elsewhere.secret), journals().length], [['not_found'], 1]);
    const another = await found.newKey();
    equal([await recover(another.secret), journals().length], [['external_id_taken'], 1]);
    // An archived project is read-only.
    await platform.projects.update(found.id, { status: 'archived' });
    equal([await recover(found.key.secret), journals().length], [['project_archived'], 1]);
    await platform.projects.update(found.id, { status: 'active' });
    equal([await recover(found.key.secret), journals()], [['sent'], []]);
    equal(await found.transcript(session.conversationId), turns(2));
    ok(fs.existsSync(folder), 'the folder stays');
  },

  'a session goes on after a restore of the tables, with the turns that are left': async (context) => {
    const { control } = context;
    const { start, project, transcript, deploymentId } = await deployed(context);
    await control('backUp');
    const session = await start().open('call-1');
    await turn(session, 1);
    const lost = session.conversationId;
    await control('restore');
    equal(await turn(session, 2), 'stored');
    ok(session.conversationId !== lost, 'the conversation has begun again');
    equal(
      session.messages.map(({ text }) => text),
      turns(2),
    );
    await control('backUp');
    await turn(session, 3);
    await turn(session, 4);
    await control('restore');
    await turn(session, 5);
    // Its numbers are free, although the service has fewer messages than numbers.
    const resumed = await start().open('call-1');
    for (const number of [6, 7, 8, 9]) await turn(resumed, number);
    const left = [2, 5, 6, 7, 8, 9].flatMap((number) => [`question ${number}`, `answer ${number}`]);
    equal(await transcript(session.conversationId), left);
    const { items } = await project.conversations.list({ externalId: 'call-1' });
    equal(
      items.map((one) => [one.id, one.deploymentId]),
      [[session.conversationId, deploymentId]],
    );
    const ids = await collect(project.conversations.messages(session.conversationId ?? ''));
    equal(new Set(ids.map(({ clientMessageId }) => clientMessageId)).size, 12);
    // What was erased stays erased after a restore.
    await control('backUp');
    await project.conversations.delete(session.conversationId ?? '');
    await control('restore');
    equal((await sessionError(resumed.end())).code, 'conversation_erased');
  },
};
