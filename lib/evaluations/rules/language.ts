/** The language of a text. Only files that only workers import may import this one: the detector has a megabyte of data. */

import detector from 'eld/small';
import { type Language, languages } from './texts.ts';

/** The limit in UTF-16 code units. More text does not change the answer. */
export const maxLanguageText = 4096;

/** The detector looks at the first 350 bytes. */
const pieceLength = 300;

const letter = /\p{L}/gu;
/** A character of these scripts is a syllable or a word. It counts as three letters. */
const denseScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** The best score is above the second by this much. */
const minLead = 0.01;

const isLanguage = (code: string): code is Language => languages.some((one) => one === code);

/** Addresses and numbers are in no language. */
const isWord = (part: string): boolean => part !== '' && !/[@\d]|:\/\//.test(part);

/** @returns the language of most of the text; undefined if the text is too short, or could be several languages */
export function languageOf(text: string): Language | undefined {
  const votes = new Map<Language, number>();
  let letters = 0;
  for (const piece of piecesOf(text)) {
    const weight = (piece.match(letter)?.length ?? 0) + 2 * (piece.match(denseScript)?.length ?? 0);
    letters += weight;
    const language = detectLanguage(piece);
    if (language) votes.set(language, (votes.get(language) ?? 0) + weight);
  }
  const [best] = [...votes].sort(([, a], [, b]) => b - a);
  return best && best[1] > letters / 2 ? best[0] : undefined;
}

function detectLanguage(piece: string): Language | undefined {
  const detection = detector.detect(piece);
  const [first = 0, second = 0] = Object.values(detection.getScores()).sort((a, b) => b - a);
  if (!detection.isReliable() || first - second < minLead) return undefined;
  return isLanguage(detection.language) ? detection.language : undefined;
}

/** @returns the words of the text, in pieces of which the detector sees enough */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const word of text.split(/\s/).filter(isWord)) {
    if (piece.length + word.length > pieceLength) {
      pieces.push(piece);
      piece = '';
    }
    piece += `${word.slice(0, pieceLength)} `;
  }
  pieces.push(piece);
  return pieces.filter((one) => one !== '');
}
