/** Asks one version of the index questions whose answers are known. */

import type { ProjectStore } from '../../documents/store/documents.ts';
import { findIdsByName, nameKey } from '../../documents/store/external-names.ts';
import type { Hit, SearchIndex } from '../../search/index/common/search-index.ts';
import { answersOf, type Grades, meanAnswersOf, meanOf, measuresOf } from '../../search/measures.ts';
import { hasPassage } from '../../search/pieces/passage.ts';
import type { EvaluatedQuestion, Evaluation, ExpectedDocument } from '../../search/schema/evaluation.ts';
import type { Manifest } from '../store/versions.ts';
import { type Meanings, semanticOf } from './meanings.ts';
import { findHits, findPieces } from './search.ts';

/** A document is as good as its best piece. Ten documents are enough for every measure. */
const limits = { limit: 10, perDocument: 1, filter: {} };
/** The pieces that a search returns, in which the passages are looked for. */
const shownPieces = 10;
/** A response is stored with its Idempotency-Key, in an item of at most 400 KB. Fifty times ten titles may be larger. */
const shownDocuments = 5;

/** An expected document. The id is undefined if no document has its name. */
type Expected = { documentId: string | undefined; grade: number; contains: string | undefined };

/** A piece that a search returns. */
type Passage = { documentId: string; text?: string };

/** @returns the expected documents of each question, in its order. It does not check whether documents with an id exist */
export async function findWanted(
  store: ProjectStore,
  questions: readonly EvaluatedQuestion[],
): Promise<Expected[][]> {
  const names = questions.flatMap(({ expect }) => expect.flatMap((one) => nameOf(one) ?? []));
  const ids = names.length === 0 ? new Map<string, string>() : await findIdsByName(store, names);
  return questions.map(({ expect }) =>
    expect.map((one) => {
      const name = nameOf(one);
      const { grade, contains } = one;
      return { documentId: name ? ids.get(nameKey(name)) : one.documentId, grade, contains };
    }),
  );
}

const nameOf = ({ source = null, externalId }: ExpectedDocument) =>
  externalId === undefined ? undefined : { source, externalId };

/**
 * @param meanings undefined to search by words only
 * @returns the measures of a version; undefined if a text is no longer stored, because the version has been replaced in the meantime
 */
export async function evaluate(
  store: ProjectStore,
  { manifest, index, meanings }: { manifest: Manifest; index: SearchIndex; meanings: Meanings | undefined },
  questions: readonly { q: string; wanted: readonly Expected[] }[],
): Promise<Omit<Evaluation, 'indexVersion'> | undefined> {
  const indexedIds = new Set(index.documents.map(({ id }) => id));
  const results: Evaluation['questions'] = [];
  // Questions are asked one after the other, so that the reads between them let the process do something else.
  for (const { q, wanted } of questions) {
    const semantic = await semanticOf(meanings, q);
    const isJudged = wanted.some(({ contains }) => contains !== undefined);
    const [{ hits }, pieces] = await Promise.all([
      findHits(store, manifest, index, { q, ...limits }, semantic, async () => undefined),
      isJudged ? findPieces(store, manifest, index, { q, limit: shownPieces, filter: {} }, semantic, 0) : [],
    ]);
    if (!pieces) return undefined;
    results.push({ q, mode: semantic ? 'hybrid' : 'lexical', ...resultOf(hits, pieces, wanted, indexedIds) });
  }
  const mode = results.some((one) => one.mode === 'hybrid') ? 'hybrid' : 'lexical';
  return { mode, ...meanOf(results), ...meanAnswersOf(results), questions: results };
}

/**
 * @param hits of different documents, best first
 * @param pieces what a search returns, best first
 */
function resultOf(
  hits: readonly Hit[],
  pieces: readonly Passage[],
  expected: readonly Expected[],
  indexedIds: ReadonlySet<string>,
) {
  const passageRanks = expected.map((one) => rankOfPassage(pieces, one));
  const ranking = hits.map(({ document }) => document.id);
  const grades = gradesOf(expected);
  return {
    ...measuresOf(ranking, grades),
    ...answersOf(passageRanks.filter((_, at) => expected[at]?.contains !== undefined)),
    expected: expected.map(({ documentId = null, grade }, index) => {
      const at = documentId === null ? -1 : ranking.indexOf(documentId);
      const missing = documentId === null || !indexedIds.has(documentId);
      const passageRank = passageRanks[index] ?? null;
      return { documentId, grade, rank: at === -1 ? null : at + 1, passageRank, missing };
    }),
    found: hits.slice(0, shownDocuments).map(({ document: { id, title }, score }) => ({
      documentId: id,
      title,
      score,
      grade: grades[id] ?? null,
    })),
  };
}

/** @returns the rank of the first piece of the document that has the passage; null if there is none */
function rankOfPassage(pieces: readonly Passage[], { documentId, contains }: Expected): number | null {
  if (contains === undefined) return null;
  const at = pieces.findIndex(
    (piece) => piece.documentId === documentId && hasPassage(piece.text ?? '', contains),
  );
  return at === -1 ? null : at + 1;
}

/** The best grade of each document, because an id and a name may mean the same one. A name without a document counts on its own. */
function gradesOf(expected: readonly Expected[]): Grades {
  const grades: Record<string, number> = {};
  for (const [at, { documentId = `unknown ${at}`, grade }] of expected.entries()) {
    grades[documentId] = Math.max(grade, grades[documentId] ?? 0);
  }
  return grades;
}
