/** The best pieces, in order. */

export type Ranked = { id: number; score: number };

/** How many pieces a search returns: in all, and of one document. */
export type Limit = { pieces: number; perDocument?: number | undefined };

/**
 * @param size the number of pieces
 * @param scoreOf 0 or less if the piece was not found
 * @param documentOf the pieces of a document follow each other
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
  let ofDocument: Ranked[] = [];
  for (let id = 0; id < size; id += 1) {
    if (id > 0 && documentOf(id) !== documentOf(id - 1)) {
      for (const { id: own, score } of ofDocument) insert(top, own, score, pieces);
      ofDocument = [];
    }
    insert(ofDocument, id, scoreOf(id), perDocument);
  }
  for (const { id, score } of ofDocument) insert(top, id, score, pieces);
  return top;
}

const isBehind = (a: Ranked, b: Ranked) => (a.score === b.score ? a.id > b.id : a.score < b.score);

function insert(top: Ranked[], id: number, score: number, limit: number): void {
  // Most pieces.
  if (score <= 0) return;
  const one = { id, score };
  const last = top.at(-1);
  if (top.length === limit && last && isBehind(one, last)) return;
  let [low, high] = [0, top.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(one, top[middle] as Ranked)) low = middle + 1;
    else high = middle;
  }
  top.splice(low, 0, one);
  if (top.length > limit) top.pop();
}
