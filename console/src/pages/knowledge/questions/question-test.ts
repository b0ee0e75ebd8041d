/** A test of the search with questions. It stays until the tab is closed, so a look at a document loses nothing. */

import { type Signal, signal } from '@preact/signals';
import { CliError } from '../../../../../cli/src/errors.ts';
import { askAll, type Report } from '../../../../../cli/src/evaluate/ask.ts';
import { type Asked, questionsFrom } from '../../../../../cli/src/evaluate/questions.ts';
import { onSignOut, platform } from '../../../session/session.ts';

/** A larger set takes minutes, so it is left to the command line. */
export const maxQuestions = 1000;

export type QuestionTest = {
  text: Signal<string>;
  /** The source of documents that the questions name only by their externalId. */
  source: Signal<string>;
  /** The progress of the test; undefined while no test runs. */
  progress: Signal<{ done: number; total: number } | undefined>;
  report: Signal<Report | undefined>;
  /** Why the questions cannot be read. */
  problem: Signal<string | undefined>;
  /** Why a request failed. */
  error: Signal<unknown>;
};

const tests = new Map<string, QuestionTest>();
let controller = new AbortController();
onSignOut(() => {
  controller.abort();
  tests.clear();
});

export function testOf(project: string): QuestionTest {
  const storedTest = tests.get(project);
  if (storedTest) return storedTest;
  const test: QuestionTest = {
    text: signal(''),
    source: signal(''),
    progress: signal(undefined),
    report: signal(undefined),
    problem: signal(undefined),
    error: signal(undefined),
  };
  tests.set(project, test);
  return test;
}

export const stopTest = (): void => controller.abort();

/** The index and the mode that answer the questions. */
export type Place = { environment: string | undefined; mode: 'lexical' | undefined };

export async function runTest(project: string, place: Place): Promise<void> {
  const { text, source, progress, report, problem, error } = testOf(project);
  if (progress.value) return;
  problem.value = undefined;
  error.value = undefined;
  controller = new AbortController();
  const { signal: stopSignal } = controller;
  try {
    const questions = readQuestions(text.value, source.value.trim() || undefined);
    const show = (done: number) => {
      progress.value = { done, total: questions.length };
    };
    show(0);
    const { knowledge } = platform().projects(project);
    report.value = await askAll(
      questions,
      (batch) => knowledge.evaluate({ questions: batch, ...place }, { signal: stopSignal }),
      show,
    );
  } catch (failure) {
    if (stopSignal.aborted) return;
    if (failure instanceof CliError) problem.value = failure.message;
    else error.value = failure;
  } finally {
    progress.value = undefined;
  }
}

/** @throws CliError that names the line */
function readQuestions(text: string, source: string | undefined): Asked[] {
  const questions = questionsFrom(text, source);
  if (questions.length <= maxQuestions) return questions;
  const limitText = `There are ${questions.length} questions. This page asks at most ${maxQuestions}:`;
  throw new CliError('usage', `${limitText} use the command line, platform knowledge test.`);
}
