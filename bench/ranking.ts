/**
 * The quality of ranking: realistic questions on an existing collection (the README of each module of aws-cdk-lib),
 * with relevant modules judged by hand. Grade 2 answers the question, 1 helps.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { chunksOf } from '../lib/knowledge/chunks/chunk.ts';
import { buildIndex, loadIndex } from '../lib/knowledge/index/search-index.ts';
import { root } from '../scripts/shared/root.ts';
import queries from './ranking-queries.json' with { type: 'json' };
import { table } from './statistics.ts';

export type Judged = { query: string; answers: Readonly<Record<string, number | undefined>> };
type Readme = { id: string; title: string; content: string };

/** @returns the ids of the documents that a query finds, best first */
export type Ranker = (query: string) => string[];

export function readmes(): Readme[] {
  const folder = resolve(root, 'node_modules/aws-cdk-lib');
  return readdirSync(folder)
    .sort()
    .filter((id) => existsSync(resolve(folder, id, 'README.md')))
    .map((id) => {
      const content = readFileSync(resolve(folder, id, 'README.md'), 'utf8');
      return { id, title: /^# (.+)$/m.exec(content)?.[1] ?? id, content };
    });
}

/** @returns a ranking of documents by their best chunk, with the index that search uses */
export function rankerOf(documents: readonly Readme[]): Ranker {
  const builder = buildIndex();
  for (const { id, title, content } of documents) {
    builder.add({ id, title, tags: [], chunks: chunksOf(content) }, 0);
  }
  const index = loadIndex(Buffer.from([...builder.serialise()].join('')));
  return (query) => [
    ...new Set(
      index.search(query, { tag: undefined }, builder.chunkCount()).map(({ document }) => document.id),
    ),
  ];
}

/**
 * @returns means over the queries. nDCG with gains of 2^grade - 1 and the discount log2(rank + 1) (K. Järvelin and
 *   J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20, 2002; the gain is that of C. Burges et
 *   al., "Learning to rank using gradient descent", ICML 2005)
 */
export function quality(rank: Ranker, judged: readonly Judged[]): { ndcg10: number; recall5: number } {
  const ranked = judged.map(({ query, answers }) => ({ answers, found: rank(query) }));
  return {
    ndcg10: mean(ranked.map(({ answers, found }) => ndcg(found.slice(0, 10), answers))),
    recall5: mean(
      ranked.map(({ answers, found }) => {
        const wanted = Object.keys(answers);
        return wanted.filter((id) => found.slice(0, 5).includes(id)).length / wanted.length;
      }),
    ),
  };
}

function ndcg(found: readonly string[], answers: Judged['answers']): number {
  const gain = (grades: readonly number[]) =>
    grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
  const grades = Object.values(answers).map((grade) => grade ?? 0);
  return gain(found.map((id) => answers[id] ?? 0)) / gain(grades.sort((a, b) => b - a));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Every other query was held out while the ranking was tuned. */
export const tuned: readonly Judged[] = queries.filter((_, index) => index % 2 === 0);
export const keptAside: readonly Judged[] = queries.filter((_, index) => index % 2 === 1);

export async function ranking(): Promise<string> {
  const documents = readmes();
  const rank = rankerOf(documents);
  const rows = Object.entries({ 'tuned with': tuned, 'held out': keptAside, all: queries }).map(
    ([name, judged]) => {
      const { ndcg10, recall5 } = quality(rank, judged);
      return [name, judged.length, ndcg10.toFixed(3), recall5.toFixed(3)];
    },
  );
  return [
    table(['queries', 'how many', 'nDCG@10', 'recall@5'], rows),
    '',
    `${documents.length} documents. Most of them only name their subject.`,
  ].join('\n');
}
