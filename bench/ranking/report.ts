/** The quality of the search's ranking, next to a textbook's: realistic questions on collections of several styles. */

import { type Measures, meanOf, measuresOf } from '../../lib/search/measures.ts';
import { budgets, type Findings } from '../budgets.ts';
import { progress, table } from '../statistics.ts';
import { type Corpus, corpora, documentsOf, kinds, type Question, questionsOf } from './corpora.ts';
import { type RankerName, rankers, textsOf } from './rankers.ts';
import { storeVectors } from './vectors.ts';

const names = Object.keys(rankers) as RankerName[];

export type Measured = Question & { measures: Record<RankerName, Measures> };

/** @returns the measures of each question of a collection, with every ranking */
export async function measureCorpus(corpus: Corpus): Promise<Measured[]> {
  const documents = documentsOf(corpus);
  const questions = questionsOf(corpus);
  const measureWith = async (name: RankerName): Promise<Measures[]> => {
    const rank = await rankers[name](documents);
    const all: Measures[] = [];
    for (const { q, answers } of questions) all.push(measuresOf(await rank(q), answers));
    return all;
  };
  const byRanker = {
    'plain BM25': await measureWith('plain BM25'),
    'search before': await measureWith('search before'),
    lexical: await measureWith('lexical'),
    hybrid: await measureWith('hybrid'),
  };
  return questions.map((question, at) => {
    const of = (name: RankerName): Measures => byRanker[name][at] ?? meanOf([]);
    const measures = {
      'plain BM25': of('plain BM25'),
      'search before': of('search before'),
      lexical: of('lexical'),
      hybrid: of('hybrid'),
    };
    return { ...question, measures };
  });
}

export async function ranking(): Promise<Findings> {
  const all: Measured[] = [];
  for (const corpus of corpora) {
    progress(`ranking: ${corpus}`);
    all.push(...(await measureCorpus(corpus)));
  }
  await storeVectors(
    corpora.flatMap((corpus) => [...textsOf(documentsOf(corpus)), ...questionsOf(corpus).map(({ q }) => q)]),
  );
  return { text: textOf(all), budgeted: budgetedOf(all) };
}

function textOf(all: readonly Measured[]): string {
  const keptAside = all.filter(({ isKeptAside }) => isKeptAside);
  const languages = [...new Set(all.map(({ language }) => language))];
  const rows = [
    rowOf('all', keptAside),
    ...kinds.map((kind) =>
      rowOf(
        kind,
        keptAside.filter((one) => one.kind === kind),
      ),
    ),
    ...corpora.map((corpus) =>
      rowOf(
        corpus,
        keptAside.filter((one) => one.corpus === corpus),
      ),
    ),
    ...languages.flatMap((language) =>
      kinds.map((kind) =>
        rowOf(
          `${language}, ${kind}`,
          keptAside.filter((one) => one.language === language && one.kind === kind),
        ),
      ),
    ),
    rowOf(
      'all that it was tuned with',
      all.filter(({ isKeptAside }) => !isKeptAside),
    ),
  ];
  const head = [
    ...[
      'questions',
      'how many',
      'nDCG@10, plain BM25',
      'nDCG@10, search before',
      'nDCG@10, lexical',
      'nDCG@10, hybrid',
    ],
    ...['recall@5, lexical', 'recall@5, hybrid', 'MRR, lexical', 'MRR, hybrid'],
  ];
  return [
    table(head, rows),
    '',
    `Budget, over both halves: 1 - nDCG@10 of hybrid is at most ${budgets.rankingLoss} over all, ${budgets.keywordLoss} for ` +
      `keywords, ${budgets.paraphraseLoss} for paraphrases, and ${budgets.typosLoss} for typos and inflections. Plain BM25 has ` +
      `at most ${budgets.paraphraseRatio} of hybrid's nDCG@10 for paraphrases, and of no kind more than hybrid.`,
  ].join('\n');
}

function rowOf(name: string, questions: readonly Measured[]): (string | number)[] {
  const mean = (ranker: RankerName) => meanOf(questions.map(({ measures }) => measures[ranker]));
  const [lexical, hybrid] = [mean('lexical'), mean('hybrid')];
  return [
    name,
    questions.length,
    ...[
      ...names.map((ranker) => mean(ranker).ndcgAt10),
      ...[lexical.recallAt5, hybrid.recallAt5, lexical.mrr, hybrid.mrr],
    ].map((value) => value.toFixed(3)),
  ];
}

function budgetedOf(all: readonly Measured[]): Findings['budgeted'] {
  const ndcg = (ranker: RankerName, kind?: string) =>
    meanOf(
      all.filter((one) => kind === undefined || one.kind === kind).map(({ measures }) => measures[ranker]),
    ).ndcgAt10;
  return [
    { budget: 'rankingLoss', what: '1 - nDCG@10', value: 1 - ndcg('hybrid') },
    { budget: 'keywordLoss', what: '1 - nDCG@10 of keywords', value: 1 - ndcg('hybrid', 'keyword') },
    { budget: 'paraphraseLoss', what: '1 - nDCG@10 of paraphrases', value: 1 - ndcg('hybrid', 'paraphrase') },
    { budget: 'typosLoss', what: '1 - nDCG@10 of typos and inflections', value: 1 - ndcg('hybrid', 'typos') },
    {
      budget: 'paraphraseRatio',
      what: 'nDCG@10 of paraphrases, plain BM25 relative to hybrid',
      value: ndcg('plain BM25', 'paraphrase') / ndcg('hybrid', 'paraphrase'),
    },
    ...kinds.map((kind) => ({
      budget: 'plainRatio' as const,
      what: `nDCG@10 of ${kind}, plain BM25 relative to hybrid`,
      value: ndcg('plain BM25', kind) / ndcg('hybrid', kind),
    })),
  ];
}
