/** The comparison of the effective scores of a conversation with filters. */

/** The value of an effective score that filters and lists know. Null for a text or an object, and if it is unknown. */
export type IndexedScore = boolean | number | string | null;

/** `value` is of the type of the output of the evaluator; null with `exists`. */
export type ScoreFilter = {
  readonly name: string;
  readonly op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'exists';
  readonly value: IndexedScore;
};

type Score = { value: IndexedScore; hasValue: boolean };

/** @returns whether the score holds. An unknown or a missing score holds for no filter */
export function matchesScore(score: Score | undefined, { op, value: filterValue }: ScoreFilter): boolean {
  if (!score?.hasValue) return false;
  const { value } = score;
  switch (op) {
    case 'exists':
      return true;
    case 'eq':
      return value === filterValue;
    case 'ne':
      return value !== null && value !== filterValue;
    default:
      return typeof value === 'number' && typeof filterValue === 'number' && compares(op, value, filterValue);
  }
}

function compares(op: 'gt' | 'gte' | 'lt' | 'lte', value: number, filterValue: number): boolean {
  switch (op) {
    case 'gt':
      return value > filterValue;
    case 'gte':
      return value >= filterValue;
    case 'lt':
      return value < filterValue;
    case 'lte':
      return value <= filterValue;
  }
}

/** @param scores the effective scores of a conversation, by name */
export const matchesScores = (
  scores: Readonly<Record<string, Score>> | undefined,
  filters: readonly ScoreFilter[] = [],
): boolean =>
  filters.every((filter) =>
    matchesScore(scores && Object.hasOwn(scores, filter.name) ? scores[filter.name] : undefined, filter),
  );
