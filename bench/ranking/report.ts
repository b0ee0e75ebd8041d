/** The quality of the search's ranking, next to a textbook's: realistic questions on collections of several styles. */

import {
  type Answers,
  answersOf,
  type Measures,
  meanAnswersOf,
  meanOf,
  measuresOf,
} from '../../lib/search/measures.ts';
import { hasPassage } from '../../lib/search/pieces/passage.ts';
import { type Budgeted, budgets } from '../budgets.ts';
import type { Findings } from '../findings.ts';
import { progress } from '../statistics.ts';
import { type Corpus, corpora, documentsOf, kinds, type Question, questionsOf } from './corpora.ts';
import { type Hit, idsOf, type RankerName, rankers, textsOf } from './rankers.ts';
import { storeVectors } from './vectors.ts';

export type Measured = Question & {
  measures: Record<RankerName, Measures>;
  /** Whether the pieces of the search by words and meaning hand over the answer: their snippets, and their texts. */
  handedOver: { snippets: Answers; texts: Answers };
};

/** @returns the measures of each question of a collection, with every ranking */
export async function measureCorpus(corpus: Corpus): Promise<Measured[]> {
  const documents = documentsOf(corpus);
  const [plain, lexical, hybrid] = [
    rankers['plain BM25'](documents),
    rankers.lexical(documents),
    await rankers.hybrid(documents),
  ];
  const all: Measured[] = [];
  for (const question of questionsOf(corpus)) {
    const { q, answers } = question;
    const pieces = await hybrid(q);
    const measures = {
      'plain BM25': measuresOf(idsOf(plain(q)), answers),
      lexical: measuresOf(idsOf(lexical(q)), answers),
      hybrid: measuresOf(idsOf(pieces), answers),
    };
    const handedOver = {
      snippets: answersIn(pieces, question, ({ snippet }) => snippet),
      texts: answersIn(pieces, question, ({ text }) => text),
    };
    all.push({ ...question, measures, handedOver });
  }
  return all;
}

/** As an evaluation judges it: a passage counts in a piece of its document. One of the passages is enough. */
const answersIn = (pieces: readonly Hit[], { passages }: Question, shown: (piece: Hit) => string): Answers =>
  answersOf(
    Object.entries(passages).map(([id, texts]) => {
      const at = pieces.findIndex(
        (piece) => piece.id === id && texts.some((text) => hasPassage(shown(piece), text)),
      );
      return at === -1 ? null : at + 1;
    }),
  );

export async function ranking(): Promise<Findings> {
  const all: Measured[] = [];
  for (const corpus of corpora) {
    progress(`ranking: ${corpus}`);
    all.push(...(await measureCorpus(corpus)));
  }
  await storeVectors(
    corpora.flatMap((corpus) => [...textsOf(documentsOf(corpus)), ...questionsOf(corpus).map(({ q }) => q)]),
  );
  return {
    head: [
      'questions',
      'how many',
      ...['plain BM25', 'words', 'words and meaning'].map((ranker) => `nDCG@10, ${ranker}`),
      ...['words', 'words and meaning'].map((ranker) => `recall@5, ${ranker}`),
      'answerIn5, snippets',
      'answerIn5',
      'answerIn10',
    ],
    rows: rowsOf(all),
    notes:
      `Budget, over both halves: 1 - nDCG@10 by words and meaning is at most ${budgets.rankingLoss} over all, ${budgets.keywordLoss} for ` +
      `keywords, ${budgets.paraphraseLoss} for paraphrases, and ${budgets.typosLoss} for typos. Plain BM25 has at most ` +
      `${budgets.paraphraseRatio} of its nDCG@10 for paraphrases, and of no kind more. Over all and in each collection, answerIn5 is at least ` +
      `${1 - budgets.answerLoss} of recall@5 by words and meaning.`,
    rounds: 'one run, because each run has the same figures',
    spread: 'means over the questions, with their standard errors',
    budgeted: budgetedOf(all),
  };
}

function rowsOf(all: readonly Measured[]): (string | number)[][] {
  const keptAside = all.filter(({ isKeptAside }) => isKeptAside);
  const languages = [...new Set(all.map(({ language }) => language))];
  return [
    rowOf('all', keptAside),
    ...kinds.map((wanted) =>
      rowOf(
        wanted,
        keptAside.filter(({ kind }) => kind === wanted),
      ),
    ),
    ...corpora.map((wanted) =>
      rowOf(
        wanted,
        keptAside.filter(({ corpus }) => corpus === wanted),
      ),
    ),
    ...languages.map((wanted) =>
      rowOf(
        `in \`${wanted}\``,
        keptAside.filter(({ language }) => language === wanted),
      ),
    ),
    rowOf(
      'the other half, for tuning',
      all.filter(({ isKeptAside }) => !isKeptAside),
    ),
  ];
}

function rowOf(name: string, questions: readonly Measured[]): (string | number)[] {
  const cell = (ranker: RankerName, of: (measures: Measures) => number) =>
    meanAndError(questions.map(({ measures }) => of(measures[ranker])));
  return [
    name,
    questions.length,
    cell('plain BM25', ({ ndcgAt10 }) => ndcgAt10),
    cell('lexical', ({ ndcgAt10 }) => ndcgAt10),
    cell('hybrid', ({ ndcgAt10 }) => ndcgAt10),
    cell('lexical', ({ recallAt5 }) => recallAt5),
    cell('hybrid', ({ recallAt5 }) => recallAt5),
    ...[
      questions.map(({ handedOver }) => handedOver.snippets.answerIn5 ?? 0),
      questions.map(({ handedOver }) => handedOver.texts.answerIn5 ?? 0),
      questions.map(({ handedOver }) => handedOver.texts.answerIn10 ?? 0),
    ].map(meanAndError),
  ];
}

function meanAndError(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return `${mean.toFixed(3)} ± ${Math.sqrt(variance / values.length).toFixed(3)}`;
}

function budgetedOf(all: readonly Measured[]): Budgeted[] {
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
    ...[undefined, ...corpora].map((corpus) => ({
      budget: 'answerLoss' as const,
      what: `1 - answerIn5 relative to recall@5, ${corpus ?? 'over all'}`,
      value: answerLoss(
        all.filter(
          (question) => question.isKeptAside && (corpus === undefined || question.corpus === corpus),
        ),
      ),
    })),
    ...kinds.map((kind) => ({
      budget: 'plainRatio' as const,
      what: `nDCG@10 of ${kind}, plain BM25 relative to hybrid`,
      value: ndcg('plain BM25', kind) / ndcg('hybrid', kind),
    })),
  ];
}

const answerLoss = (questions: readonly Measured[]): number => {
  const { recallAt5 } = meanOf(questions.map(({ measures }) => measures.hybrid));
  const { answerIn5 } = meanAnswersOf(questions.map(({ handedOver }) => handedOver.texts));
  return 1 - (answerIn5 ?? 0) / recallAt5;
};
