/** Asks questions in as many requests as they need. The command line and the console use it. */

import {
  ApiError,
  type Evaluation,
  type EvaluationQuestion,
  type ExpectedDocument,
  type QuestionEvaluation,
} from '../../../clients/typescript/src/index.ts';
import { CliError, usageError } from '../errors.ts';
import type { Asked } from './questions.ts';

/** The API accepts this many questions in a request, and 256 KB. */
const questionsAtOnce = 50;
const bytesAtOnce = 200_000;
/** How often the questions are asked before the command gives up, because another index is published in the middle. */
const maxRuns = 3;

export type Measure = 'recallAt5' | 'ndcgAt10' | 'mrr';
/** The measures of passages. Null if no question names a passage. */
export type AnswerMeasure = 'answerIn5' | 'answerIn10';

/** Sums of fractions such as a third are not exact. */
export const slack = 1e-9;

/** Rounds down, so that a measure below a minimum, or below 1, never looks as if it had reached that value. */
export const shownMeasure = (value: number): string => (Math.floor((value + slack) * 1000) / 1000).toFixed(3);

/** A question of the file with its result. */
export type Tested = QuestionEvaluation & { line: number; expect: readonly ExpectedDocument[] };

export type Report = Pick<Evaluation, 'indexVersion' | 'mode' | Measure | AnswerMeasure> & {
  questions: Tested[];
};

/** Whether an expected document is not among the first five, or no passage is in the first five pieces. */
export const hasMissed = ({ recallAt5, answerIn5 }: QuestionEvaluation): boolean =>
  recallAt5 < 1 || answerIn5 === 0;

/**
 * @param ask sends a request
 * @param onProgress is told how many questions were asked, before each request
 * @throws CliError that names the lines which the API refuses, or if another index is published again and again
 */
export async function askAll(
  questions: readonly Asked[],
  ask: (questions: EvaluationQuestion[]) => PromiseLike<Evaluation>,
  onProgress: (done: number) => void,
): Promise<Report> {
  const answers = await askInOneVersion(batchesOf(questions), async (batch, done) => {
    onProgress(done);
    try {
      return await ask(batch.map(({ line: _, ...question }) => question));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'validation_error') throw withLines(error, batch);
      throw error;
    }
  });
  const results = answers
    .flatMap((answer) => answer.questions)
    .flatMap((result, at) => {
      const question = questions[at];
      return question ? [{ line: question.line, expect: question.expect, ...result }] : [];
    });
  return reportOf(answers, results);
}

/**
 * Asks again from the start if another version is published in the middle: figures of two versions mean nothing together.
 * @param ask is told how many questions were asked before
 * @throws CliError if that happens again and again
 */
export async function askInOneVersion<
  Batch extends readonly unknown[],
  Answer extends { indexVersion: string },
>(batches: readonly Batch[], ask: (batch: Batch, done: number) => Promise<Answer>): Promise<Answer[]> {
  for (let run = 1; run <= maxRuns; run += 1) {
    const answers: Answer[] = [];
    let done = 0;
    for (const batch of batches) {
      const answer = await ask(batch, done);
      if (answer.indexVersion !== (answers[0] ?? answer).indexVersion) break;
      answers.push(answer);
      done += batch.length;
    }
    if (answers.length === batches.length) return answers;
  }
  throw new CliError('temporary', 'The index was replaced during each test.', 'Run the same command again.');
}

function reportOf(answers: readonly Evaluation[], questions: Tested[]): Report {
  // The mean of the means would be wrong, because the last batch is smaller.
  const mean = (name: Measure) => questions.reduce((sum, one) => sum + one[name], 0) / questions.length;
  const share = (name: AnswerMeasure) => {
    const judged = questions.map((one) => one[name]).filter((answer) => typeof answer === 'number');
    return judged.length === 0 ? null : judged.reduce((sum, answer) => sum + answer, 0) / judged.length;
  };
  return {
    indexVersion: answers[0]?.indexVersion ?? '',
    mode: answers.some(({ mode }) => mode === 'hybrid') ? 'hybrid' : 'lexical',
    recallAt5: mean('recallAt5'),
    ndcgAt10: mean('ndcgAt10'),
    mrr: mean('mrr'),
    answerIn5: share('answerIn5'),
    answerIn10: share('answerIn10'),
    questions,
  };
}

/** @returns the questions of each request */
export function batchesOf(questions: readonly Asked[]): Asked[][] {
  const encoder = new TextEncoder();
  const batches: Asked[][] = [];
  let bytes = 0;
  for (const question of questions) {
    const size = encoder.encode(JSON.stringify(question)).length;
    const last = batches.at(-1);
    if (!last || last.length === questionsAtOnce || bytes + size > bytesAtOnce) {
      batches.push([question]);
      bytes = size;
    } else {
      last.push(question);
      bytes += size;
    }
  }
  return batches;
}

/** @returns the error of the API, with the lines of the file in place of the paths in the request */
function withLines(error: ApiError, batch: readonly Asked[]): Error {
  const faults = error.details.flatMap(({ path, message }) => {
    const [, at, field = ''] = /^questions\.(\d+)(?:\.(.+))?$/.exec(path) ?? [];
    const question = at === undefined ? undefined : batch[Number(at)];
    return question ? [`line ${question.line}: ${field} ${message}`] : [];
  });
  return faults.length === 0 ? error : usageError(faults.join('\n'));
}
