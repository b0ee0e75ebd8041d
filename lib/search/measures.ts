/** How good a ranking is, by questions whose answers are known. */

/** The documents that answer a question, with their grades. 2 answers it, 1 helps. */
export type Grades = Readonly<Record<string, number | undefined>>;

export type Measures = {
  /**
   * Gains of 2^grade - 1 and the discount log2(rank + 1) (K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation
   * of IR techniques", ACM TOIS 20, 2002; the gain is that of C. Burges et al., "Learning to rank using gradient
   * descent", ICML 2005), as a share of the best order's.
   */
  ndcgAt10: number;
  /** The share of the answers among the first five documents. */
  recallAt5: number;
  /** 1 divided by the rank of the first answer; 0 if there is none. */
  mrr: number;
};

/** @param ranking the ids of the documents, best first, each once */
export function measuresOf(ranking: readonly string[], answers: Grades): Measures {
  const expected = Object.keys(answers);
  const first = ranking.findIndex((id) => expected.includes(id));
  const best = Object.values(answers).map((grade) => grade ?? 0);
  return {
    ndcgAt10:
      gainOf(ranking.slice(0, 10).map((id) => answers[id] ?? 0)) /
      gainOf(best.sort((a, b) => b - a).slice(0, 10)),
    recallAt5: expected.filter((id) => ranking.slice(0, 5).includes(id)).length / expected.length,
    mrr: first === -1 ? 0 : 1 / (first + 1),
  };
}

const gainOf = (grades: readonly number[]): number =>
  grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);

/** @returns the mean of each measure; 0 without questions */
export function meanOf(all: readonly Measures[]): Measures {
  const mean = (of: (measures: Measures) => number) =>
    all.length === 0 ? 0 : all.reduce((sum, measures) => sum + of(measures), 0) / all.length;
  return {
    ndcgAt10: mean(({ ndcgAt10 }) => ndcgAt10),
    recallAt5: mean(({ recallAt5 }) => recallAt5),
    mrr: mean(({ mrr }) => mrr),
  };
}
