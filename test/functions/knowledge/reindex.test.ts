import { describe, expect } from 'vitest';
import { hourMs } from '../../../lib/time.ts';
import { answers } from '../../support/answers.ts';
import { openKnowledge } from '../../support/knowledge.ts';

describe('knowledge.reindex', () => {
  answers(202, 'with a queued job, where it is and when to look', async () => {
    const { call, project } = await openKnowledge();
    const answer = await call('POST', `${project}/knowledge/reindex`);
    expect(answer.data).toMatchObject({
      type: 'knowledge.reindex',
      status: 'queued',
      progress: { total: 0, done: 0, failed: 0 },
      result: null,
      error: null,
      startedAt: null,
    });
    expect(answer.headers.Location).toBe(`/api/v1${project}/jobs/${answer.data.id}?waitSeconds=20`);
    expect(answer.headers['Retry-After']).toBe('2');
    return answer;
  });

  answers(200, 'with the job that is queued already', async () => {
    const { call, project } = await openKnowledge();
    const first = await call('POST', `${project}/knowledge/reindex`);
    const answer = await call('POST', `${project}/knowledge/reindex`);
    expect(answer.data).toEqual(first.data);
    expect(answer.headers.Location).toBe(first.headers.Location);
    return answer;
  });

  answers(202, 'once of fifty at once, and all get the one job', async () => {
    const { call, project } = await openKnowledge();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('POST', `${project}/knowledge/reindex`)),
    );
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(1);
    return accepted[0] ?? (answers[0] as never);
  });

  answers(202, 'anew where the one before has passed its deadline', async () => {
    const { call, project, advance } = await openKnowledge();
    const { data: first } = await call('POST', `${project}/knowledge/reindex`);
    advance(hourMs);
    const answer = await call('POST', `${project}/knowledge/reindex`);
    expect(answer.data.id).not.toBe(first.id);
    return answer;
  });
});
