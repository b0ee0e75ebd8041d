/** `knowledge test`: asks the questions of a file, and fails if the answers are not good enough. */

import { CliError } from '../errors.ts';
import { progressBar } from '../output/progress.ts';
import { counted, safeLine } from '../output/text.ts';
import type { Session } from '../session.ts';
import {
  type AnswerMeasure,
  askAll,
  batchesOf,
  hasMissed,
  type Measure,
  type Report,
  shownMeasure,
  slack,
  type Tested,
} from './ask.ts';
import type { Asked } from './questions.ts';

/** The measures, and how messages name them. */
const measures = {
  recallAt5: 'recall@5',
  ndcgAt10: 'nDCG@10',
  mrr: 'MRR',
  answerIn5: 'answerIn5',
  answerIn10: 'answerIn10',
} as const;
export type Minimums = Partial<Record<Measure | AnswerMeasure, number | undefined>>;

type Settings = {
  environment: string | undefined;
  deploymentId: string | undefined;
  mode: 'hybrid' | 'lexical' | undefined;
  minimums: Minimums;
};

/** @throws CliError if a measure is below its minimum */
export async function testKnowledge(
  session: Session,
  questions: readonly Asked[],
  settings: Settings,
): Promise<void> {
  const { out } = session;
  const report = await ask(session, questions, settings);
  const problems = belowMinimum(report, settings.minimums);
  if (out.json) {
    const results = report.questions.map(({ expect: _, ...result }) => result);
    await out.jsonLine({ passed: problems.length === 0, ...report, questions: results });
  } else await print(session, report, settings);
  if (problems.length > 0)
    throw new CliError(
      'belowMinimum',
      problems.join(' '),
      'Improve the documents or the questions, re-index, and test again.',
    );
}

async function ask(
  { project, shell, signal, out }: Session,
  questions: readonly Asked[],
  { environment, deploymentId, mode }: Settings,
): Promise<Report> {
  const bar = progressBar(shell, 'Testing', out.json || batchesOf(questions).length === 1);
  try {
    return await askAll(
      questions,
      (batch) =>
        project.knowledge.evaluate({ questions: batch, environment, deploymentId, mode }, { signal }),
      (done) => bar.update(done, questions.length),
    );
  } finally {
    bar.stop();
  }
}

const belowMinimum = (report: Report, minimums: Minimums): string[] =>
  names.flatMap((name) => {
    const minimum = minimums[name];
    const value = report[name];
    if (minimum === undefined) return [];
    if (value === null) return [`${measures[name]} was not measured, because no question names a passage.`];
    if (value >= minimum - slack) return [];
    return [`${measures[name]} is ${shownMeasure(value)}, and must be at least ${minimum}.`];
  });

const names = Object.keys(measures) as (keyof typeof measures)[];

/** A question fails if an expected document or passage is not among the first five, or if it is below a minimum on its own. */
const hasFailed = (question: Tested, { ndcgAt10 = 0, mrr = 0 }: Minimums): boolean =>
  hasMissed(question) || question.ndcgAt10 < ndcgAt10 - slack || question.mrr < mrr - slack;

async function print({ out }: Session, report: Report, { minimums, mode }: Settings): Promise<void> {
  const { questions, indexVersion } = report;
  const failed = questions.filter((one) => hasFailed(one, minimums));
  if (failed.length > 0) {
    await out.rows(failed, {
      line: ({ line }) => line,
      question: ({ q }) => q,
      expected: expectedText,
      found: otherText,
    });
    await out.line('');
  }
  const figures = names
    .flatMap((name) => {
      const value = report[name];
      return value === null ? [] : [`${measures[name]} ${shownMeasure(value)}`];
    })
    .join(', ');
  await out.line(
    `${counted(questions.length, 'question')}, ${questions.length - failed.length} passed: ${figures} ` +
      `(by ${report.mode === 'hybrid' ? 'words and meaning' : 'words'}, index version ${safeLine(indexVersion)})`,
  );
  if (report.answerIn5 === null) out.note(documentsOnly);
  if (mode !== 'lexical' && report.mode === 'lexical') out.note(wordsOnly);
}

/** A document that is found may not hand over its answer. */
const documentsOnly =
  'The file names only documents, so the test does not say whether a search hands over the answers. Add passages: contains.';

/** Why a search did not compare meanings, although nobody asked for that. */
export const wordsOnly =
  'Searched by words only: the index has no meanings yet, or the model does not speak the language.';

/** @returns the title of the first document that was not expected */
const otherText = ({ found }: Tested): string =>
  found.find(({ grade }) => grade === null)?.title ?? (found.length === 0 ? 'nothing' : 'nothing else');

/** @returns the expected documents that are not among the first five, or else all of them, with their ranks */
function expectedText({ expect, expected, answerIn5 }: Tested): string {
  const all = expected.map(({ documentId, rank, passageRank, missing }, at) => {
    const { externalId = documentId, contains } = expect[at] ?? {};
    if (rank !== null && rank <= 5 && contains !== undefined && answerIn5 === 0) {
      const place = passageRank === null ? 'passage not found' : `passage in piece ${passageRank}`;
      return { text: `${externalId} (rank ${rank}, ${place})`, isFirst: false };
    }
    if (rank !== null) return { text: `${externalId} (rank ${rank})`, isFirst: rank <= 5 };
    if (!missing) return { text: `${externalId} (not found)`, isFirst: false };
    const reason = documentId === null ? 'there is no such document' : 'not in the index';
    return { text: `${externalId} (${reason})`, isFirst: false };
  });
  const late = all.filter(({ isFirst }) => !isFirst);
  return (late.length > 0 ? late : all).map(({ text }) => text).join(', ');
}
