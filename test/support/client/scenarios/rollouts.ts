/** Sessions of runtimes while a part of the users gets another deployment. */

import { type Context, equal, ok, rejection, type Scenarios } from '../scenario.ts';
import { deployed, turn, turns } from './sessions.ts';

const prompts = ['You help customers of a shop.', 'You speak in rhymes.'] as const;

const id = 'rol_01ARZ3NDEKTSV4RRFFQ69G5FAV';
/** With these hashes (test/support/rollout-assignments.json), the first has the candidate from 1.57 percent on, the other from 82.92. */
const early = { externalUserId: 'user-1', hash: '04040b3fc725cf99' };
const late = { externalUserId: 'мария', hash: 'd44410855dcef7b0' };

const assignment = ({ hash }: typeof early, variant: string, span = 1) => `${id}.${span}.${variant}.${hash}`;

/** A half of the users gets another prompt, and does not find the document. */
async function rolledOut(context: Context, options: { isIndexed?: boolean } = {}) {
  const at = await deployed(context, options);
  const candidate = await at.change(false);
  const place = { project: at.id, environment: 'live', id };
  const serve = (percent: number, span: number) =>
    context.control('rollOut', { ...place, percent, span, deploymentId: candidate });
  await serve(50, 1);
  const stored = async (conversationId: string | null) => {
    const conversation = await at.project.conversations.get(conversationId ?? '');
    return [conversation.deploymentId, conversation.assignment];
  };
  return {
    ...at,
    candidate,
    serve,
    stored,
    endRollout: () => context.control('endRollout', place),
    loseRollout: () => context.control('loseRollout', place),
  };
}

export const rolloutScenarios: Scenarios = {
  'while a rollout runs, each user has a variant, without a request for each': async (context) => {
    const { start, candidate, deploymentId, returns, stored, endRollout } = await rolledOut(context, {
      isIndexed: true,
    });
    const { open, requested } = start();
    const first = await open('call-1', early);
    equal(requested(), ['GET config', 'GET config', 'PUT conversation']);
    equal([first.deploymentId, first.prompt], [candidate, prompts[1]]);
    equal(await first.search('How do I send something back?'), []);
    equal(await stored(first.conversationId), [candidate, assignment(early, 'candidate')]);
    requested();
    const second = await open('call-2', late);
    equal(requested(), ['PUT conversation']);
    equal([second.deploymentId, second.prompt], [deploymentId, prompts[0]]);
    const hits = await second.search('How do I send something back?');
    equal(
      hits.map(({ documentId }) => documentId),
      [returns],
    );
    equal(await stored(second.conversationId), [deploymentId, assignment(late, 'current')]);
    const third = await open('call-3', { ...late, unit: early.externalUserId });
    equal(await stored(third.conversationId), [candidate, assignment(early, 'candidate')]);
    const nobody = await open('call-4', { externalUserId: undefined });
    equal(await stored(nobody.conversationId), [deploymentId, null]);
    for (const unit of ['', 'a'.repeat(256)])
      ok((await rejection(open('call-5', { unit }))) instanceof TypeError, `a unit of ${unit.length}`);
    await open('call-5', { unit: '😀'.repeat(255) });

    // A conversation that continues keeps its deployment.
    await endRollout();
    const other = start();
    equal((await other.open('call-6', early)).deploymentId, deploymentId);
    equal((await other.open('call-1', early)).deploymentId, candidate);
    equal((await other.open('call-2', late)).deploymentId, deploymentId);
  },

  'a change of a rollout is noticed, and its candidate is asked for once': async (context) => {
    const { start, serve, stored, candidate, deploymentId } = await rolledOut(context);
    const { open, requested } = start();
    equal(await stored((await open('call-1', late)).conversationId), [
      deploymentId,
      assignment(late, 'current'),
    ]);
    equal(requested().filter((one) => one === 'GET config').length, 2);
    const now = performance.now.bind(performance);
    try {
      await serve(90, 2);
      performance.now = () => now() + 31_000;
      const other = await open('call-2', late);
      equal(requested(), ['GET config', 'PUT conversation']);
      equal(await stored(other.conversationId), [candidate, assignment(late, 'candidate', 2)]);
      performance.now = () => now() + 62_000;
      requested();
      await open('call-3', early);
      equal(requested(), ['GET config', 'PUT conversation']);
    } finally {
      performance.now = now;
    }
  },

  'a rollout and its candidate are known while the service is away': async (context) => {
    const { folder } = context;
    if (!folder) return;
    const { start, stored, candidate, transcript, endRollout } = await rolledOut(context);
    await (await start().open('call-1', { ...late, folder })).close();
    const second = start();
    second.cut(true);
    const session = await second.open('call-2', { ...early, folder, patienceMs: 200 });
    equal([session.deploymentId, session.prompt], [candidate, prompts[1]]);
    equal(await turn(session, 1), 'buffered');
    await session.close();
    // The conversation began with the candidate, although the service did not know it.
    await endRollout();
    const resumed = await start().open('call-2', { ...early, folder });
    await resumed.flush();
    equal(await stored(resumed.conversationId), [candidate, assignment(early, 'candidate')]);
    equal(await transcript(resumed.conversationId), turns(1));
    await resumed.close();
  },

  'a conversation begins without its assignment if the service does not have the rollout any more': async (
    context,
  ) => {
    const { start, stored, candidate, loseRollout, transcript } = await rolledOut(context);
    await loseRollout();
    const warnings: string[] = [];
    const session = await start().open('call-1', {
      ...early,
      onWarning: (sentence) => warnings.push(sentence),
    });
    await turn(session, 1);
    equal(await stored(session.conversationId), [candidate, null]);
    equal(await transcript(session.conversationId), turns(1));
    equal(warnings.length, 1);
    ok(warnings[0]?.includes('without its assignment'), String(warnings[0]));
  },
};
