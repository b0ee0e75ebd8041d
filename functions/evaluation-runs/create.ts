import * as z from 'zod';
import { invalidField } from '../../lib/base/errors.ts';
import { microUsdOf } from '../../lib/base/money.ts';
import { assertContent } from '../../lib/evaluations/content.ts';
import { chooseEvaluators, draftOf, EvaluationRunRequest } from '../../lib/evaluations/schema/run-request.ts';
import { readScoreFilters } from '../../lib/evaluations/score-filters.ts';
import { getAllEvaluators } from '../../lib/evaluations/store/evaluators.ts';
import { queueRun } from '../../lib/evaluations/store/runs.ts';
import { defineEndpoint, fail, optional } from '../../lib/http/endpoint.ts';
import { newEvaluation } from '../../lib/jobs/evaluation.ts';
import { newJob, waitsFor } from '../../lib/jobs/job.ts';
import { jobHeaders, jobsExceeded } from '../../lib/jobs/request-job.ts';
import { Job } from '../../lib/jobs/schema.ts';
import { getJob, latestJobOf, takeJobPlace } from '../../lib/jobs/store.ts';
import { id } from '../../lib/schema/common.ts';

export default defineEndpoint({
  id: 'evaluation-runs.create',
  method: 'POST',
  path: '/projects/{project_id}/evaluation-runs',
  summary: 'Evaluate conversations',
  description:
    'Queues a job that scores the conversations that match the filter and have started by now, oldest first, with evaluators of ' +
    'the kinds `rule` and `model`. The run uses the versions that are current now. It skips scores that are stored, so a run ' +
    'after another one only gives what is missing. An evaluator that is archived or paused meanwhile is left out.\n\nThe runs of ' +
    'a project wait for each other. Dry runs and previews store no score, and wait for nobody.\n\nEach call of a model reserves ' +
    'the most that it can cost before it is sent. If that does not fit into `maxCostUsd` or the quota `modelCostUsd` of the day, ' +
    'the job succeeds with what it has done, and `stoppedBecause` says why.\n\nThe run of a credential that is bound to environments ' +
    'leaves out the conversations of other environments.',
  auth: 'conversations:write',
  environments: 'left_out',
  models: true,
  project: 'active',
  loads: { latest: optional(latestJobOf('evaluations')) },
  request: { params: z.strictObject({ project_id: id('project') }), body: EvaluationRunRequest },
  causes: ['job.created'],
  responses: { 202: Job },
  headers: jobHeaders,
  errors: ['quota_exceeded'],
  access: {
    conversations: ['BatchGetItem', 'Query'],
    jobs: ['GetItem', 'BatchGetItem', 'PutItem'],
    limits: ['PutItem', 'Query'],
  },

  async handle({ body, loaded: { latest }, caller, limits, models, store, nowMs, newId }) {
    const { filter, dryRun, preview, maxCostUsd } = body;
    if (dryRun && preview) throw invalidField('preview', 'must not be set together with dryRun');
    await readScoreFilters(store, filter.scores, 'filter.scores');
    const draft = draftOf(body);
    if (draft) await assertContent(draft, models, 'draft.');
    const evaluators = draft ? [] : chooseEvaluators(body, await getAllEvaluators(store), models);
    const usesModel = draft ? draft.kind === 'model' : evaluators.some(({ kind }) => kind === 'model');
    if (usesModel && !dryRun && maxCostUsd === undefined)
      throw invalidField('maxCostUsd', 'is required, because a model is used');
    const isRun = !dryRun && !preview;
    const last = isRun && latest ? await getJob(store, latest.jobId) : undefined;
    const kind = isRun ? 'run' : preview ? 'preview' : 'dry_run';
    const job = {
      ...newJob(newId('job'), 'conversations.evaluate', caller.principal, nowMs, {
        after: waitsFor(last),
        environments: caller.environments,
      }),
      evaluation: newEvaluation(kind),
    };
    const request = {
      filter,
      evaluators: evaluators.map(({ id, version }) => ({ id, version })),
      ...(draft && { draft }),
      ...(maxCostUsd !== undefined && { maxMicroUsd: microUsdOf(maxCostUsd) }),
    };
    const writes = queueRun(store, job, request, isRun ? latest : null);
    const { jobs: quota } = limits.quotas;
    if (quota === undefined) return { status: 202, data: job, writes };
    const place = await takeJobPlace(store, quota, job, { nowMs, caller });
    if (!place) return fail('quota_exceeded', jobsExceeded(quota));
    return { status: 202, data: job, writes: [...writes, place] };
  },
});
