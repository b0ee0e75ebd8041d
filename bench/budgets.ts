/** What the benchmarks must not exceed. docs/performance.md shows each budget beside the figure. */

export const budgets = {
  /** Our cold path over that of the naive bundle, made with esbuild's defaults. */
  coldPathRatio: 0.6,
  /** Our cold path over that of the same handler, minified and tree-shaken. */
  minifiedColdPathRatio: 0.65,
  /** The largest bundle of a function, in thousands of bytes. */
  bundleKilobytes: 310,
  /** A request in process, without DynamoDB, in microseconds. */
  pipelineMicros: 20,
  /**
   * The slowest of 100 requests of forty writers on one conversation, over forty requests one by one. They get through one
   * after another, so 1 is the least.
   */
  writersRatio: 4,
  /** `npm test` on two idle cores, in minutes: half of the processor time that it takes. */
  testMinutes: 6,
} as const;

export type BudgetName = keyof typeof budgets;

/** What a benchmark found: the text for the document, and the figures that have a budget. */
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
