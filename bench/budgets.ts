/** Budgets of the benchmarks. docs/performance.md shows each budget next to its figure. */

export const budgets = {
  /** Our cold path on an idle machine, relative to the naive bundle built with esbuild's defaults. Callers wait for it. */
  coldPathRatio: 0.47,
  /** Our cold path on an idle machine, relative to the same handler, minified and tree-shaken. */
  minifiedColdPathRatio: 0.63,
  /** The same by CPU time, on any machine. It includes V8's own threads, for which no caller waits. */
  coldPathCpuRatio: 0.6,
  minifiedColdPathCpuRatio: 0.75,
  /** CPU time of a request in process, without DynamoDB, relative to Middy and zod alone: also of a POST with a key. */
  pipelineRatio: 4,
  /** CPU time of a POST with a key, relative to Middy and zod with the idempotency of Powertools. */
  idempotencyRatio: 1.1,
  /**
   * The slowest of 100 requests by forty writers of one conversation, relative to forty sequential requests. They
   * succeed one after the other, so 1 is the minimum.
   */
  writersRatio: 8,
  /** The requests that pass a limit under load, relative to the bound that docs/limits.md derives. */
  rateLimitRatio: 1,
  /** What the ranking of the search loses: 1 - nDCG@10, over all questions and over those of a kind. */
  rankingLoss: 0.34,
  keywordLoss: 0.18,
  paraphraseLoss: 0.45,
  typosLoss: 0.22,
  /** What plain BM25 over passages reaches of our nDCG@10: for paraphrases, and for each kind. */
  paraphraseRatio: 0.75,
  plainRatio: 1,
  /** What a warm search by words and meaning takes longer than one by words only, by number of pieces. */
  hybridSmallMs: 15,
  hybridLargeMs: 30,
  /** The start of the command line, on an idle machine. */
  cliStartMs: 150,
  /** What a browser loads before the first page of the console shows, after gzip. */
  consoleKilobytes: 60,
  /** From an input in the console to the next picture, with a processor that is four times slower. */
  consoleInteractionMs: 100,
  /** From a commit to the search and to a webhook, on the dev server, during and after 10 000 changes. */
  feedLagMs: 5000,
  /** Minutes of `npm test` on two idle cores: half of its CPU time. */
  testMinutes: 5,
} as const;

export type BudgetName = keyof typeof budgets;

/** The result of a benchmark: the text for the document, and the figures with a budget. */
export type Findings = {
  text: string;
  budgeted: readonly { budget: BudgetName; what: string; value: number }[];
};

/** @returns a sentence for each figure that is over its budget */
export function overBudget({ budgeted }: Findings): string[] {
  return budgeted
    .filter(({ budget, value }) => !(value <= budgets[budget]))
    .map(({ budget, what, value }) => `${what}: ${value.toFixed(2)}, over the budget of ${budgets[budget]}`);
}

/**
 * Measures again while a figure is over its budget, because other load on the machine only makes figures worse.
 * @returns a sentence for each figure that is over its budget every time
 */
export async function overBudgetAlways(measure: () => Promise<Findings>, times = 3): Promise<string[]> {
  const sentences = overBudget(await measure());
  return sentences.length > 0 && times > 1 ? overBudgetAlways(measure, times - 1) : sentences;
}
