/** A test of the search with questions. It stays until the tab is closed, so a look at a document loses nothing. */

import { type Signal, signal } from '@preact/signals';
import { CliError } from '../../../../../cli/src/errors.ts';
import { askAll, type Report } from '../../../../../cli/src/evaluate/ask.ts';
import { type Asked, questionsFrom } from '../../../../../cli/src/evaluate/questions.ts';
import { onSignOut, platform } from '../../../session/session.ts';

/** A larger set takes minutes. The command line has the patience. */
export const maxQuestions = 1000;

export type QuestionTest = {
  text: Signal<string>;
  /** Of documents that the questions name only by their externalId. */
  source: Signal<string>;
  /** While it runs. */
  progress: Signal<{ done: number; total: number } | undefined>;
  report: Signal<Report | undefined>;
  /** What is wrong with the questions. */
  problem: Signal<string | undefined>;
  /** Why a request has failed. */
  error: Signal<unknown>;
};

const tests = new Map<string, QuestionTest>();
let running = new AbortController();
onSignOut(() => {
  running.abort();
  tests.clear();
});

export function testOf(project: string): QuestionTest {
  const known = tests.get(project);
  if (known) return known;
  const created: QuestionTest = {
    text: signal(''),
    source: signal(''),
    progress: signal(undefined),
    report: signal(undefined),
    problem: signal(undefined),
    error: signal(undefined),
  };
  tests.set(project, created);
  return created;
}

export const stopTest = (): void => running.abort();

/** Where the questions are asked. */
export type Place = { environment: string | undefined; mode: 'lexical' | undefined };

export async function runTest(project: string, place: Place): Promise<void> {
  const { text, source, progress, report, problem, error } = testOf(project);
  if (progress.value) return;
  problem.value = undefined;
  error.value = undefined;
  running = new AbortController();
  const { signal: stopped } = running;
  try {
    const asked = read(text.value, source.value.trim() || undefined);
    const show = (done: number) => {
      progress.value = { done, total: asked.length };
    };
    show(0);
    const { knowledge } = platform().projects(project);
    report.value = await askAll(
      asked,
      (questions) => knowledge.evaluate({ questions, ...place }, { signal: stopped }),
      show,
    );
  } catch (thrown) {
    if (stopped.aborted) return;
    if (thrown instanceof CliError) problem.value = thrown.message;
    else error.value = thrown;
  } finally {
    progress.value = undefined;
  }
}

/** @throws CliError that names the line */
function read(text: string, source: string | undefined): Asked[] {
  const asked = questionsFrom(text, source);
  if (asked.length <= maxQuestions) return asked;
  const many = `There are ${asked.length} questions. This page asks at most ${maxQuestions}:`;
  throw new CliError('usage', `${many} use the command line, platform knowledge test.`);
}
