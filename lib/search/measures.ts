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

/** Whether the answer to a question is in the text of the first pieces: 1 or 0. Null if nobody has judged it. */
export type Answers = { answerIn5: number | null; answerIn10: number | null };

/** @param ranks the rank of each passage that answers the question, from 1; null if it was not found */
export function answersOf(ranks: readonly (number | null)[]): Answers {
  const within = (last: number) =>
    ranks.length === 0 ? null : ranks.some((rank) => rank !== null && rank <= last) ? 1 : 0;
  return { answerIn5: within(5), answerIn10: within(10) };
}

/** @returns the shares of the questions that were judged; null without one */
export function meanAnswersOf(all: readonly Answers[]): Answers {
  const mean = (of: (answers: Answers) => number | null) => {
    const judged = all.map(of).filter((answer) => answer !== null);
    return judged.length === 0 ? null : judged.reduce((sum, answer) => sum + answer, 0) / judged.length;
  };
  return { answerIn5: mean(({ answerIn5 }) => answerIn5), answerIn10: mean(({ answerIn10 }) => answerIn10) };
}
