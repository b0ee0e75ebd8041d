/**
 * A model that understands nothing: it answers with the sentences of the passages that share the most words with the question, cites
 * them, and says that it does not know when no sentence does. The same request has the same answer. Pure.
 */

import { distinctTerms } from '../../lib/text/terms.ts';

/** What it reads of a request: the blocks of the last message of the user, as one text. */
type Passage = { number: number; title: string; heading: string; text: string };

export const unknownAnswer = 'I do not know. The documents that I have do not say it.';

const maxSentences = 3;
const maxSentenceLength = 400;
/** A sentence must have this part of the question's words. */
const minShare = 1 / 3;
/** Further sentences must fit nearly as well as the best one. */
const nearlyAsGood = 0.6;
/** What a word in the title or the heading counts, beside one in the sentence. */
const titleWeight = 0.25;

/** Words of questions in English and German that say nothing about their subject. */
const emptyWords = new Set(
  (
    'a an and any are as at be by can could did do does for from get has have how i if in is it its me my of on or our please say ' +
    'should so tell than that the their them there these they this to was we what when where which who whom whose why will with would ' +
    'you your aber als am an auch auf aus bei bin bis bitte da das dass dem den der des die du ein eine einem einen einer er es für hat ' +
    'habe haben ich ihr ihre im in ist ja kann können man mein meine mit nach nicht noch oder sein sie sind über um und uns unser von vor ' +
    'wann war warum was welche welcher wenn wer werden wie wir wird wo zu zum zur'
  ).split(' '),
);

/** @returns the answer, with the numbers of its passages as `[1]` */
export function extract(prompt: string): string {
  const { question, passages } = read(prompt);
  const asked = [...distinctTerms(question)].filter((term) => !emptyWords.has(term));
  if (asked.length === 0) return unknownAnswer;
  const candidates = passages.flatMap(({ number, title, heading, text }) => {
    const above = distinctTerms(`${title} ${heading}`);
    return sentencesOf(text).map((sentence) => ({ number, sentence, above, terms: distinctTerms(sentence) }));
  });
  // A word that few sentences have says more about them.
  const weights = asked.map((term) => {
    const having = candidates.filter(({ terms }) => has(terms, term)).length;
    return Math.log(1 + candidates.length / Math.max(1, having));
  });
  const scored = candidates
    .map((candidate) => {
      const found = asked.map((term) => has(candidate.terms, term));
      const score = asked.reduce((sum, term, index) => {
        const share = found[index] ? 1 : has(candidate.above, term) ? titleWeight : 0;
        return sum + share * (weights[index] ?? 0);
      }, 0);
      return { ...candidate, score, share: found.filter(Boolean).length / asked.length };
    })
    .filter(({ share }) => share >= minShare)
    .sort((a, b) => b.score - a.score);
  const best = scored[0]?.score ?? 0;
  const chosen = new Map(
    scored.filter(({ score }) => score >= best * nearlyAsGood).map((one) => [one.sentence, one]),
  );
  const sentences = [...chosen.values()].slice(0, maxSentences);
  if (sentences.length === 0) return unknownAnswer;
  return sentences.map(({ sentence, number }) => `${sentence} [${number}]`).join(' ');
}

const minStem = 4;
const maxEnding = 3;

/** Whether one of the terms is the word, or another form of it. */
function has(terms: ReadonlySet<string>, word: string): boolean {
  if (terms.has(word)) return true;
  for (const term of terms) {
    const [short, long] = term.length < word.length ? [term, word] : [word, term];
    const isStem = short.length >= minStem && long.length - short.length <= maxEnding;
    if (isStem && (long.startsWith(short) || endsAsY(short, long))) return true;
  }
  return false;
}

/** As `delivery` and `deliveries`. */
const endsAsY = (short: string, long: string) => short.endsWith('y') && long === `${short.slice(0, -1)}ies`;

/** The passages are JSON, one or a list of them on a line. The question is the last line, or its text. */
function read(prompt: string): { question: string; passages: Passage[] } {
  const passages: Passage[] = [];
  let question = '';
  for (const line of prompt.split('\n')) {
    if (line.trim() === '') continue;
    const value = parsed(line);
    const own = (Array.isArray(value) ? value : [value]).flatMap((one) => passageOf(one) ?? []);
    if (own.length > 0) passages.push(...own);
    else question = textIn(value) ?? line;
  }
  return { question, passages };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function passageOf(value: unknown): Passage | undefined {
  const { number, title, heading, text } = recordOf(value);
  if (typeof number !== 'number' || typeof text !== 'string') return undefined;
  return {
    number,
    title: typeof title === 'string' ? title : '',
    heading: typeof heading === 'string' ? heading : '',
    text,
  };
}

const textIn = (value: unknown): string | undefined => {
  const { text } = recordOf(value);
  return typeof text === 'string' ? text : undefined;
};

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** @returns the sentences without the marks of Markdown, and without brackets, which would be citations */
function sentencesOf(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return paragraphsOf(text)
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => Array.from(segmenter.segment(line), ({ segment }) => segment))
    .map((sentence) =>
      sentence
        .replace(/^[\s>*|-]+/, '')
        .replaceAll('**', '')
        .replaceAll('[', '(')
        .replaceAll(']', ')')
        .replaceAll('|', ' ')
        .trim(),
    )
    .filter((sentence) => sentence !== '')
    .map((sentence) =>
      sentence.length <= maxSentenceLength ? sentence : `${sentence.slice(0, maxSentenceLength)}…`,
    );
}

/** A heading, an item of a list, a quotation or a row of a table begins anew. Other lines go on with the line before. */
const begins = /^\s*([#>|*-]|\d+[.)]\s|$)/;
const isWhole = /^\s*([#|]|$)/;

/** @returns paragraphs and items of lists, each on one line */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let previous = '';
  for (const line of text.split('\n')) {
    const before = begins.test(line) || isWhole.test(previous) ? undefined : paragraphs.pop();
    paragraphs.push(before === undefined ? line : `${before} ${line.trim()}`);
    previous = line;
  }
  return paragraphs;
}
