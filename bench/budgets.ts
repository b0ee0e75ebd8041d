/** Budgets of the benchmarks. docs/performance.md, or the document of the benchmark, shows each budget below its table. */

export const budgets = {
  /** Our cold path on an idle machine, relative to the naive bundle built with esbuild's defaults. Callers wait for it. */
  coldPathRatio: 0.32,
  /** Our cold path on an idle machine, relative to the same handler, minified and tree-shaken. */
  minifiedColdPathRatio: 0.42,
  /** The same by CPU time, on any machine. It includes V8's own threads, for which no caller waits. */
  coldPathCpuRatio: 0.4,
  minifiedColdPathCpuRatio: 0.5,
  /** CPU time of a request in process, without DynamoDB, relative to Middy and zod alone: also of a POST with a key. */
  pipelineRatio: 2.7,
  /** CPU time of a POST with a key, relative to Middy and zod with the idempotency of Powertools. */
  idempotencyRatio: 0.9,
  /**
   * The slowest of forty requests to one conversation at the same time, relative to forty requests one after the other. They
   * succeed one after the other, so 1 is the minimum.
   */
  writersRatio: 8,
  /** Seconds that a small piece of work takes longer beside large work of another organisation: at most, and in the median. */
  neighbourSeconds: 15,
  neighbourMedianSeconds: 5,
  /** What 99 of 100 reads of the API take beside such work. */
  neighbourReadMs: 1000,
  /** What the ranking of the search loses: 1 - nDCG@10, over all questions and over those of a kind. */
  rankingLoss: 0.34,
  keywordLoss: 0.18,
  paraphraseLoss: 0.45,
  typosLoss: 0.22,
  /** What answerIn5 lacks of recall@5: a document that is found should hand over its answer. */
  answerLoss: 0.15,
  /** What the texts of files lack: words in the median of a type, rows of tables whose cells stand in one line, values of forms. */
  wordsLoss: 0.005,
  rowsLoss: 0.03,
  valuesLoss: 0,
  /** What plain BM25 over passages reaches of our nDCG@10: for paraphrases, and for each kind. */
  paraphraseRatio: 0.75,
  plainRatio: 1,
  /** CPU time in milliseconds that a warm search by words and meaning takes longer than one by words only, by number of pieces. */
  hybridSmallMs: 15,
  hybridLargeMs: 30,
  /** The start of the command line, on an idle machine. */
  cliStartMs: 150,
  /** Calls of a runtime for a turn, one after the other. */
  searchTurnCalls: 2,
  turnCalls: 1,
  /** Milliseconds that a reply adds until its first text: in the median, and in 19 of 20. */
  replyMedianMs: 350,
  replyMs: 800,
  /** What a browser loads before the first page of the console shows, after gzip. */
  consoleKilobytes: 60,
  /** The time from an input in the console to the next picture, with a processor that is four times slower. */
  consoleInteractionMs: 100,
  /** The time of `npm ci`, relative to the commit before its weight was limited. */
  installRatio: 0.5,
  /** Rollouts that are stopped without a reason: the lower end of the 95 % interval. */
  falseStops: 0.05,
  /** Harmful candidates that are not stopped: the lower end of the 95 % interval. */
  missedStops: 0.01,
  /** Units until a harmful candidate is stopped, relative to a fixed sample: in the median, and at the 90th percentile. */
  stopRatio: 1,
  slowStopRatio: 2,
  /** Minutes of `npm test` on two idle cores: half of its CPU time. */
  testMinutes: 5,
} as const;

type BudgetName = keyof typeof budgets;

export type Budgeted = { budget: BudgetName; what: string; value: number };

/** @returns a sentence for each figure that is over its budget */
export const overBudget = (budgeted: readonly Budgeted[]): string[] =>
  budgeted
    .filter(({ budget, value }) => !(value <= budgets[budget]))
    .map(({ budget, what, value }) => `${what}: ${value.toFixed(2)}, over the budget of ${budgets[budget]}`);

/**
 * Measures again while a figure is over its budget, because other load on the machine only makes figures worse.
 * @returns a sentence for each figure that is over its budget every time
 */
export async function overBudgetAlways(
  measure: () => Promise<readonly Budgeted[]>,
  times = 3,
): Promise<string[]> {
  const sentences = overBudget(await measure());
  return sentences.length > 0 && times > 1 ? overBudgetAlways(measure, times - 1) : sentences;
}
