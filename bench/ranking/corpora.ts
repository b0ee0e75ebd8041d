/** The collections on which the ranking is measured, and their questions. corpora/README.md has their sources and licences. */

import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Section } from '../../lib/readers/sections.ts';
import { type Readable, readDocument } from '../../lib/search/pieces/read-document.ts';
import { root } from '../../scripts/shared/root.ts';

export const corpora = ['aws-cdk', 'sqlite', 'python', 'tldr'] as const;
export type Corpus = (typeof corpora)[number];

export const kinds = ['keyword', 'paraphrase', 'typos'] as const;
export type Kind = (typeof kinds)[number];

/** A question, and the documents that answer it: grade 2 answers the question, 1 helps. */
export type Question = {
  corpus: Corpus;
  kind: Kind;
  language: string;
  q: string;
  answers: Readonly<Record<string, number | undefined>>;
  /** The passages of each answer. Each of them alone answers the question: a long document often answers at several places. */
  passages: Readonly<Record<string, readonly string[]>>;
  /** The ranking was tuned with the other half. */
  isKeptAside: boolean;
};

export type Document = { id: string; title: string; chunks: readonly Section[] };

type Source = Readable & { id: string };

/** @returns the documents as they would be sent */
export const sourcesOf = (corpus: Corpus): Source[] => (corpus === 'aws-cdk' ? readmes() : stored(corpus));

/** @returns the documents as the index gets them */
export const documentsOf = (corpus: Corpus): Document[] =>
  sourcesOf(corpus).map(({ id, ...document }) => ({
    id,
    title: document.title,
    chunks: readDocument(document).chunks,
  }));

const stored = (corpus: Corpus): Source[] =>
  brotliDecompressSync(readFileSync(resolve(import.meta.dirname, `corpora/${corpus}.jsonl.br`)))
    .toString()
    .split('\n')
    .map((line) => JSON.parse(line) as Source);

/** The README of each module of aws-cdk-lib. */
function readmes(): Source[] {
  const folder = resolve(root, 'node_modules/aws-cdk-lib');
  return readdirSync(folder)
    .sort()
    .filter((id) => existsSync(resolve(folder, id, 'README.md')))
    .map((id) => {
      const content = readFileSync(resolve(folder, id, 'README.md'), 'utf8');
      return { id, title: /^# (.+)$/m.exec(content)?.[1] ?? id, mimeType: 'text/markdown', content };
    });
}

/**
 * @returns the questions of a corpus. Each line has a kind, a language, a question, its answers, and the passages of each answer:
 *   `|` separates the answers, `||` the passages of one answer
 */
export const questionsOf = (corpus: Corpus): Question[] =>
  readFileSync(resolve(import.meta.dirname, `questions/${corpus}.tsv`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [kind, language = '', q = '', judged = '', texts = ''] = line.split('\t');
      const known = kinds.find((name) => name === kind);
      if (!known) throw new Error(`a question of an unknown kind: ${line}`);
      const answers = gradesOf(judged);
      const ids = Object.keys(answers);
      const all = texts.split(' | ');
      if (all.length !== ids.length) throw new Error(`a question without passages of each answer: ${line}`);
      const passages = Object.fromEntries(ids.map((id, at) => [id, all[at]?.split(' || ') ?? []]));
      return { corpus, kind: known, language, q, answers, passages, isKeptAside: isKeptAside(q) };
    });

const gradesOf = (answers: string): Record<string, number> =>
  Object.fromEntries(
    answers.split(' ').map((answer) => {
      const at = answer.lastIndexOf('=');
      return [answer.slice(0, at), Number(answer.slice(at + 1))];
    }),
  );

/** By the last bit of the hash's first byte, so that a question stays in its half whatever is added. */
const isKeptAside = (q: string): boolean => hash('sha256', q, 'buffer').readUInt8(0) % 2 === 1;
