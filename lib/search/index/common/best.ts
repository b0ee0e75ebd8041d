/** The best pieces, in order. */

export type Ranked = { id: number; score: number };

/** How many pieces a search returns: in all, and of one document. */
export type Limit = { pieces: number; perDocument?: number | undefined };

/**
 * @param size the number of pieces
 * @param scoreOf the score of a piece; 0 or less if it was not found
 * @param documentOf the document of a piece; the pieces of a document follow each other
 * @returns the best; of two with equal scores, the first
 */
export function best(
  size: number,
  scoreOf: (id: number) => number,
  documentOf: (id: number) => number | undefined,
  { pieces, perDocument }: Limit,
): Ranked[] {
  const top: Ranked[] = [];
  if (perDocument === undefined) {
    for (let id = 0; id < size; id += 1) insert(top, id, scoreOf(id), pieces);
    return top;
  }
  let documentTop: Ranked[] = [];
  for (let id = 0; id < size; id += 1) {
    if (id > 0 && documentOf(id) !== documentOf(id - 1)) {
      for (const { id: pieceId, score } of documentTop) insert(top, pieceId, score, pieces);
      documentTop = [];
    }
    insert(documentTop, id, scoreOf(id), perDocument);
  }
  for (const { id, score } of documentTop) insert(top, id, score, pieces);
  return top;
}

const isBehind = (a: Ranked, b: Ranked) => (a.score === b.score ? a.id > b.id : a.score < b.score);

function insert(top: Ranked[], id: number, score: number, limit: number): void {
  // Most pieces do not match.
  if (score <= 0) return;
  const entry = { id, score };
  const last = top.at(-1);
  if (top.length === limit && last && isBehind(entry, last)) return;
  let [low, high] = [0, top.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(entry, top[middle] as Ranked)) low = middle + 1;
    else high = middle;
  }
  top.splice(low, 0, entry);
  if (top.length > limit) top.pop();
}
