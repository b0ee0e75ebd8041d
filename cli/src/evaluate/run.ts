/** `knowledge test`: asks the questions of a file, and fails if the answers are not good enough. */

import {
  ApiError,
  type Evaluation,
  type ExpectedDocument,
  type QuestionEvaluation,
} from '../../../clients/typescript/src/index.ts';
import { CliError, usageError } from '../errors.ts';
import { progressBar } from '../output/progress.ts';
import { counted, safeLine } from '../output/text.ts';
import type { Session } from '../session.ts';
import type { Asked } from './questions.ts';

/** Of a request: the API takes so many questions, and 256 KB. */
const questionsAtOnce = 50;
const bytesAtOnce = 200_000;
/** How often it begins again if another index is published in the middle. */
const maxRuns = 3;

/** The measures, and how messages name them. */
const measures = { recallAt5: 'recall@5', ndcgAt10: 'nDCG@10', mrr: 'MRR' } as const;
type Measure = keyof typeof measures;
export type Minimums = Partial<Record<Measure, number | undefined>>;

type Settings = {
  environment: string | undefined;
  mode: 'hybrid' | 'lexical' | undefined;
  minimums: Minimums;
};

/** A question of the file with its result. */
type Tested = QuestionEvaluation & { line: number; expect: readonly ExpectedDocument[] };

/** @throws CliError if a measure is below its minimum */
export async function testKnowledge(
  session: Session,
  questions: readonly Asked[],
  settings: Settings,
): Promise<void> {
  const { out } = session;
  const report = await askAll(session, questions, settings);
  const below = belowMinimum(report, settings.minimums);
  if (out.json) {
    const results = report.questions.map(({ expect: _, ...result }) => result);
    await out.jsonLine({ passed: below.length === 0, ...report, questions: results });
  } else await print(session, report, settings);
  if (below.length > 0)
    throw new CliError(
      'belowMinimum',
      below.join(' '),
      'Improve the documents or the questions, re-index, and test again.',
    );
}

type Report = Pick<Evaluation, 'indexVersion' | 'mode' | Measure> & { questions: Tested[] };

async function askAll(session: Session, questions: readonly Asked[], settings: Settings): Promise<Report> {
  const batches = batchesOf(questions);
  const bar = progressBar(session.shell, 'Testing', session.out.json || batches.length === 1);
  try {
    const answers = await askInOneVersion(batches, async (batch, done) => {
      bar.update(done, questions.length);
      return ask(session, batch, settings);
    });
    const results = answers.flatMap((answer) => answer.questions);
    const tested = results.flatMap((result, at) => {
      const asked = questions[at];
      return asked ? [{ line: asked.line, expect: asked.expect, ...result }] : [];
    });
    return reportOf(answers, tested);
  } finally {
    bar.stop();
  }
}

/**
 * Asks again from the start if another version is published in the middle: figures of two versions mean nothing together.
 * @param ask is told how many questions were asked before
 * @throws CliError if that goes on
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
  // Not the mean of the means: the last batch is smaller.
  const mean = (name: Measure) => questions.reduce((sum, one) => sum + one[name], 0) / questions.length;
  return {
    indexVersion: answers[0]?.indexVersion ?? '',
    mode: answers.some(({ mode }) => mode === 'hybrid') ? 'hybrid' : 'lexical',
    recallAt5: mean('recallAt5'),
    ndcgAt10: mean('ndcgAt10'),
    mrr: mean('mrr'),
    questions,
  };
}

function batchesOf(questions: readonly Asked[]): Asked[][] {
  const batches: Asked[][] = [];
  let bytes = 0;
  for (const question of questions) {
    const size = Buffer.byteLength(JSON.stringify(question));
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

async function ask(
  { project, signal }: Session,
  batch: readonly Asked[],
  { environment, mode }: Settings,
): Promise<Evaluation> {
  const questions = batch.map(({ line: _, ...question }) => question);
  try {
    return await project.knowledge.evaluate({ questions, environment, mode }, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'validation_error') throw withLines(error, batch);
    throw error;
  }
}

/** What the API refuses, with the lines of the file in place of its paths. */
function withLines(error: ApiError, batch: readonly Asked[]): Error {
  const faults = error.details.flatMap(({ path, message }) => {
    const [, at, field = ''] = /^questions\.(\d+)(?:\.(.+))?$/.exec(path) ?? [];
    const asked = at === undefined ? undefined : batch[Number(at)];
    return asked ? [`line ${asked.line}: ${field} ${message}`] : [];
  });
  return faults.length === 0 ? error : usageError(faults.join('\n'));
}

/** Sums of fractions such as a third are not exact. */
const slack = 1e-9;

const belowMinimum = (report: Report, minimums: Minimums): string[] =>
  names.flatMap((name) => {
    const minimum = minimums[name];
    if (minimum === undefined || report[name] >= minimum - slack) return [];
    return [`${measures[name]} is ${shown(report[name])}, and must be at least ${minimum}.`];
  });

const names = Object.keys(measures) as Measure[];

/** Rounded down: what is below a minimum never looks as if it reached it. */
const shown = (value: number) => (Math.floor((value + slack) * 1000) / 1000).toFixed(3);

/** A question fails if an expected document is not among the first five, or if it is below a minimum on its own. */
const hasFailed = (question: Tested, { ndcgAt10 = 0, mrr = 0 }: Minimums): boolean =>
  question.recallAt5 < 1 || question.ndcgAt10 < ndcgAt10 - slack || question.mrr < mrr - slack;

async function print({ out }: Session, report: Report, { minimums, mode }: Settings): Promise<void> {
  const { questions, indexVersion } = report;
  const failed = questions.filter((one) => hasFailed(one, minimums));
  if (failed.length > 0) {
    await out.rows(failed, {
      line: ({ line }) => line,
      question: ({ q }) => q,
      expected: wantedIn,
      found: insteadIn,
    });
    await out.line('');
  }
  const figures = names.map((name) => `${measures[name]} ${shown(report[name])}`).join(', ');
  await out.line(
    `${counted(questions.length, 'question')}, ${questions.length - failed.length} passed: ${figures} ` +
      `(by ${report.mode === 'hybrid' ? 'words and meaning' : 'words'}, index version ${safeLine(indexVersion)})`,
  );
  if (mode !== 'lexical' && report.mode === 'lexical') out.note(wordsOnly);
}

/** Why a search did not compare meanings, although nobody asked for that. */
export const wordsOnly =
  'Searched by words only: the index has no meanings yet, or the model does not speak the language.';

/** The first document that was not expected. */
const insteadIn = ({ found }: Tested): string =>
  found.find(({ grade }) => grade === null)?.title ?? (found.length === 0 ? 'nothing' : 'nothing else');

/** The expected documents that are not in front, and where they are. */
function wantedIn({ expect, expected }: Tested): string {
  const all = expected.map(({ documentId, rank, missing }, at) => {
    const { externalId = documentId } = expect[at] ?? {};
    if (rank !== null) return { text: `${externalId} (rank ${rank})`, isFirst: rank <= 5 };
    if (!missing) return { text: `${externalId} (not found)`, isFirst: false };
    const why = documentId === null ? 'there is no such document' : 'not in the index';
    return { text: `${externalId} (${why})`, isFirst: false };
  });
  const late = all.filter(({ isFirst }) => !isFirst);
  return (late.length > 0 ? late : all).map(({ text }) => text).join(', ');
}
