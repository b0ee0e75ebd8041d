/** The quality of the search's ranking, next to a textbook's: realistic questions on collections of several styles. */

import { type Measures, meanOf, measuresOf } from '../../lib/knowledge/evaluation.ts';
import { budgets, type Findings } from '../budgets.ts';
import { progress, table } from '../statistics.ts';
import { corpora, documentsOf, kinds, type Question, questionsOf } from './corpora.ts';
import { rankers } from './rankers.ts';

type Name = keyof typeof rankers;
const names = Object.keys(rankers) as Name[];

export type Measured = Question & { measures: Record<Name, Measures> };

/** @returns the measures of every question with every ranking */
export function measureAll(): Measured[] {
  return corpora.flatMap((corpus) => {
    progress(`ranking: ${corpus}`);
    const documents = documentsOf(corpus);
    const ranks = {
      'plain BM25': rankers['plain BM25'](documents),
      'search before': rankers['search before'](documents),
      search: rankers.search(documents),
    };
    return questionsOf(corpus).map((question) => {
      const measure = (name: Name) => measuresOf(ranks[name](question.q), question.answers);
      const measures = {
        'plain BM25': measure('plain BM25'),
        'search before': measure('search before'),
        search: measure('search'),
      };
      return { ...question, measures };
    });
  });
}

export async function ranking(): Promise<Findings> {
  const all = measureAll();
  const keptAside = all.filter(({ isKeptAside }) => isKeptAside);
  const tuned = all.filter(({ isKeptAside }) => !isKeptAside);
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
    ...languages.map((language) =>
      rowOf(
        language,
        keptAside.filter((one) => one.language === language),
      ),
    ),
    rowOf('all that it was tuned with', tuned),
  ];
  const head = ['questions', 'how many', ...names.map((name) => `nDCG@10, ${name}`), 'recall@5', 'MRR'];
  const loss = (kind: string) =>
    1 - meanOf(all.filter((one) => one.kind === kind).map(({ measures }) => measures.search)).ndcgAt10;
  return {
    text: [
      table(head, rows),
      '',
      `Recall and MRR are those of the search. Budget: 1 - nDCG@10 over both halves is at most ${budgets.keywordLoss} for ` +
        `keywords, ${budgets.paraphraseLoss} for paraphrases, and ${budgets.typosLoss} for typos and inflections.`,
    ].join('\n'),
    budgeted: [
      { budget: 'keywordLoss', what: '1 - nDCG@10 of keywords', value: loss('keyword') },
      { budget: 'paraphraseLoss', what: '1 - nDCG@10 of paraphrases', value: loss('paraphrase') },
      { budget: 'typosLoss', what: '1 - nDCG@10 of typos and inflections', value: loss('typos') },
    ],
  };
}

function rowOf(name: string, questions: readonly Measured[]): (string | number)[] {
  const means = names.map((ranker) => meanOf(questions.map(({ measures }) => measures[ranker])));
  const { recallAt5 = 0, mrr = 0 } = means.at(-1) ?? {};
  return [name, questions.length, ...[...means.map(({ ndcgAt10 }) => ndcgAt10), recallAt5, mrr].map(shown)];
}

const shown = (value: number) => value.toFixed(3);
