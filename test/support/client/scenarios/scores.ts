/** Scores of conversations: their filters, their values, and runs of evaluators. */

import type { ProjectResources, ScoreSchema } from '../../../../clients/typescript/src/index.ts';
import { collect, equal, ok, type Scenarios } from '../scenario.ts';

const avatarId = 'avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

/** @returns the ids of conversations with a message, oldest first */
async function converse(project: ProjectResources, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const { id } = await project.conversations.create({ avatarId });
    await project.conversations.append(id, { messages: [{ role: 'user', text: 'hello' }] });
    ids.push(id);
  }
  return ids;
}

export const scoreScenarios: Scenarios = {
  'a list takes several filters by scores on every page, and all must hold': async ({ newProject }) => {
    const { project } = await newProject();
    const { conversations, evaluators } = project;
    await evaluators.create({ name: 'csat', kind: 'external', output: { type: 'number', min: 1, max: 5 } });
    await evaluators.create({ name: 'solved', kind: 'external', output: { type: 'boolean' } });
    const ids = await converse(project, 4);
    for (const [at, id] of ids.entries()) {
      await conversations.scores.put(id, 'csat', { value: at + 1 });
      if (at !== 2) await conversations.scores.put(id, 'solved', { value: true });
    }
    const both = { score: ['csat:gte:2', 'solved:eq:true'], limit: 1 };
    const found = await collect(conversations.list(both));
    equal(
      found.map(({ id }) => id),
      [ids[3], ids[1]],
    );
    equal(
      found[0]?.scores.map(({ name, value, source }) => [name, value, source]),
      [
        ['csat', 4, 'api'],
        ['solved', true, 'api'],
      ],
    );
    equal((await collect(conversations.list({ score: ['csat:gte:2'] }))).length, 3);
  },

  'a score that is put twice is stored once, with any value, and with faults': async ({
    newProject,
    control,
  }) => {
    const { project } = await newProject();
    const { conversations, evaluators } = project;
    const schema: ScoreSchema = {
      type: 'object',
      properties: { lateReason: { type: 'string' }, days_late: { type: 'integer' } },
      required: ['lateReason'],
    };
    await evaluators.create({ name: 'facts', kind: 'external', output: { type: 'object', schema } });
    await evaluators.create({ name: 'solved', kind: 'external', output: { type: 'boolean' } });
    const [id = ''] = await converse(project, 1);
    await control('faults', { rate: 0.4, seed: 5 });
    const value = { lateReason: 'strike', days_late: 2 };
    for (let times = 0; times < 2; times += 1) {
      const score = await conversations.scores.put(id, 'facts', { value, evidence: [1], source: 'human' });
      equal([score.value, score.evidence, score.source], [value, [1], 'human']);
      equal((await conversations.scores.put(id, 'solved', { value: false })).value, false);
    }
    const stored = await collect(conversations.scores.list(id, { limit: 1 }));
    await control('faults');
    equal(
      stored.map((one) => [one.name, one.value, one.effective]),
      [
        ['solved', false, true],
        ['facts', value, true],
      ],
    );
  },

  'the job of an evaluation run has a typed result, and a dry run stores nothing': async ({
    newProject,
    control,
  }) => {
    const { id: projectId, project } = await newProject();
    const rule = { all: [{ messages: { lte: 4 } }, { not: { durationSeconds: { gt: 3600 } } }] };
    await project.evaluators.create({ name: 'short', kind: 'rule', rule });
    const [id = ''] = await converse(project, 1);
    const scores = async () => (await project.conversations.get(id)).scores.map(({ value }) => value);
    const finish = async (job: { id: string }) => {
      await control('evaluate', { project: projectId, job: job.id });
      return job;
    };
    const filter = { channel: 'phone' };
    const none = await project.evaluationRuns.create({ filter, dryRun: true });
    await finish(none);
    equal((await project.jobs.waitForSuccess(none)).result.conversations, 0);

    const dry = await project.evaluationRuns.create({ evaluators: ['short'], dryRun: true });
    await finish(dry);
    const { result } = await project.jobs.waitForSuccess(dry);
    equal([result.conversations, result.evaluated, result.costUsd, result.stoppedBecause], [1, 1, 0, null]);
    equal(await scores(), []);

    const preview = await project.evaluationRuns.create({ evaluators: ['short'], preview: true });
    await finish(preview);
    const shown = (await project.jobs.waitForSuccess(preview)).result.preview;
    ok(shown, 'there is a preview');
    equal(
      shown.map(({ conversationId, scores: all }) => [conversationId, all.map(({ value }) => value)]),
      [[id, [true]]],
    );
    equal(await scores(), []);

    const run = await project.evaluationRuns.create({ filter: { scores: ['short:exists'] } });
    await finish(run);
    equal((await project.jobs.waitForSuccess(run)).result.conversations, 0);
    const all = await project.evaluationRuns.create();
    await finish(all);
    equal((await project.jobs.waitForSuccess(all)).result.evaluated, 1);
    equal(await scores(), [true]);
  },
};
