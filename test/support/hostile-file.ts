/** Hostile files, and those with HTML and texts, made by code. */

import type { ExtractionCode } from '../../lib/readers/types.ts';

/** A file that tries to take too much time or memory, or is not what it seems. */
export type HostileFile = {
  name: string;
  make(): Uint8Array;
  /** How the extraction may end. Limits of time and memory may end it earlier on a slow machine. */
  ends: readonly ('done' | ExtractionCode)[];
  /** It takes seconds. */
  isSlow?: true;
};

const largest = 25 * 1000 * 1000;
/** As much of a repeated text as a file may have. */
const full = (text: string, start = '') =>
  Buffer.from(start + text.repeat(Math.floor((largest - start.length) / text.length)));

const html = '<html>';
const attributes = () =>
  Buffer.from(`${html}<p ${Array.from({ length: 2_000_000 }, (_, at) => `a${at}=1`).join(' ')}>text`);

const complex = ['document_too_complex', 'document_too_large'] as const;

export const hostileTexts: readonly HostileFile[] = [
  { name: '25 MB of nested elements', ends: complex, isSlow: true, make: () => full('<div>', html) },
  {
    name: 'formatting that each paragraph opens again',
    ends: complex,
    isSlow: true,
    make: () =>
      // Equal formatting is opened again three times at most.
      Buffer.from(`${html}${Array.from({ length: 20_000 }, (_, at) => `<b id=${at}><p>`).join('')}text`),
  },
  { name: 'two million attributes', ends: ['done', ...complex], isSlow: true, make: attributes },
  {
    name: 'a million tables that are never closed',
    ends: ['done', ...complex],
    isSlow: true,
    make: () => Buffer.from(`${html}${'<table><td>'.repeat(1_000_000)}text`),
  },
  {
    name: '25 MB of comments that are never closed',
    ends: ['no_text', 'done', ...complex],
    isSlow: true,
    make: () => full('<!--'),
  },
  {
    name: 'RTF of 25 MB of groups',
    ends: ['done', ...complex],
    isSlow: true,
    make: () => full('{\\f1\\v a', '{\\rtf1 b '),
  },
  {
    name: 'RTF of 25 MB of rows',
    ends: complex,
    isSlow: true,
    make: () => full('\\trowd\\cellx1 a\\cell\\row ', '{\\rtf1 '),
  },
  {
    name: 'a mail of 25 MB of lines',
    ends: ['done', ...complex],
    isSlow: true,
    make: () => full('\n', 'MIME-Version: 1.0\nDate: today\n\n'),
  },
  {
    name: 'a mail of a million parts',
    ends: ['done', ...complex],
    isSlow: true,
    make: () => full('--b\n\na\n', 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n'),
  },
  {
    name: 'a mail of 25 MB of headers',
    ends: ['unreadable_file', ...complex],
    make: () => full('A: b\n', 'MIME-Version: 1.0\nDate: today\n'),
  },
  { name: 'a table of 25 MB', ends: ['document_too_large'], make: () => full('a,b,c\n') },
  { name: 'a table of one line of 25 MB', ends: ['document_too_large'], make: () => full('a,b,') },
  {
    name: 'a text of 5 MB',
    ends: ['done'],
    make: () => full('word another line of text\n').subarray(0, 5 * 1024 * 1024),
  },
  { name: 'a text with a null character', ends: ['done'], make: () => Buffer.from('text\0text') },
  {
    name: 'a picture that is called a PDF',
    ends: ['unsupported_type'],
    make: () => Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  },
  {
    name: 'a program',
    ends: ['unsupported_type'],
    make: () => Buffer.from(`MZ\0\0${'\x90'.repeat(1000)}`, 'latin1'),
  },
  {
    name: 'UTF-16 of an odd length with halves of characters',
    ends: ['done'],
    make: () => Buffer.concat([Buffer.from('\ufeff\ud800\ud800 some words', 'utf16le'), Buffer.from([0x61])]),
  },
  {
    name: 'a million marks that change the direction',
    ends: ['done'],
    make: () => Buffer.from(`${'\u202e'.repeat(1_000_000)} some words`),
  },
];
