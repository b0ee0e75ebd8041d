/** The ranking of search, measured with the judged questions. docs/performance.md has the figures. */

import { expect, test } from 'vitest';
import {
  type Corpus,
  corpora,
  documentsOf,
  kinds,
  questionsOf,
  sourcesOf,
} from '../../../bench/ranking/corpora.ts';
import { idsOf, type Piece, plainBm25, rankers } from '../../../bench/ranking/rankers.ts';
import { measureCorpus } from '../../../bench/ranking/report.ts';
import { meanOf, measuresOf } from '../../../lib/search/measures.ts';
import { hasPassage } from '../../../lib/search/pieces/passage.ts';

test('every judged answer is in its collection, and both halves have questions of each kind', () => {
  for (const corpus of corpora) {
    const ids = new Set(sourcesOf(corpus).map(({ id }) => id));
    const questions = questionsOf(corpus);
    expect(questions.flatMap(({ answers }) => Object.keys(answers)).filter((id) => !ids.has(id))).toEqual([]);
    for (const kind of kinds) {
      const halves = questions.filter((question) => question.kind === kind);
      expect(new Set(halves.map(({ isKeptAside }) => isKeptAside)).size).toBe(2);
    }
  }
});

test('every passage is in the pieces of its document', { tags: ['long'] }, () => {
  for (const corpus of corpora) {
    const byId = new Map(documentsOf(corpus).map((document) => [document.id, document]));
    const missing = questionsOf(corpus).flatMap(({ q, passages }) =>
      Object.entries(passages).flatMap(([id, texts]) =>
        texts
          .filter((passage) => !byId.get(id)?.chunks.some(({ text }) => hasPassage(text, passage)))
          .map((passage) => `${q}: ${passage} (${id})`),
      ),
    );
    expect(missing).toEqual([]);
  }
});

/** @returns nDCG@10 of plain BM25 and of the search by words, by kind */
function ndcgOf(corpus: Corpus) {
  const documents = documentsOf(corpus);
  const rankings = { plain: plainBm25(documents), search: rankers.lexical(documents) };
  return kinds.map((kind) => {
    const questions = questionsOf(corpus).filter((question) => question.kind === kind);
    const mean = (rank: (query: string) => Piece[]) =>
      meanOf(questions.map(({ q, answers }) => measuresOf(idsOf(rank(q)), answers))).ndcgAt10;
    return { kind, plain: mean(rankings.plain), search: mean(rankings.search) };
  });
}

test('search finds the answers in short German and French pages', { tags: ['nightly'] }, () => {
  const found = Object.fromEntries(ndcgOf('tldr').map(({ kind, ...ndcg }) => [kind, ndcg]));
  expect(found.keyword?.search).toBeGreaterThan(0.75);
  expect(found.typos?.search).toBeGreaterThan(0.6);
  expect(found.typos?.search).toBeGreaterThan((found.typos?.plain ?? 1) + 0.1);
});

test('search ranks the answers first, better than plain BM25', { tags: ['nightly'] }, () => {
  for (const { plain, search } of ndcgOf('sqlite')) expect(search).toBeGreaterThan(plain);
});

test('meaning finds what is said in other words, and loses no keywords', { tags: ['nightly'] }, async () => {
  const all = await measureCorpus('sqlite');
  const ndcg = (ranker: 'lexical' | 'hybrid' | 'plain BM25', wanted: string) => {
    const measured = all.filter(({ kind }) => kind === wanted).map(({ measures }) => measures[ranker]);
    return meanOf(measured).ndcgAt10;
  };
  expect(ndcg('hybrid', 'paraphrase')).toBeGreaterThan(ndcg('lexical', 'paraphrase') + 0.1);
  expect(ndcg('hybrid', 'paraphrase')).toBeGreaterThan(1.4 * ndcg('plain BM25', 'paraphrase'));
  expect(ndcg('hybrid', 'keyword')).toBeGreaterThan(ndcg('lexical', 'keyword') - 0.02);
  expect(ndcg('hybrid', 'typos')).toBeGreaterThan(ndcg('lexical', 'typos') - 0.02);
});
