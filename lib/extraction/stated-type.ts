/** The type of a file that its sender states. */

import { type FileType, NotExtractable } from '../readers/types.ts';

const types: Readonly<Record<string, FileType>> = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.template': 'docx',
  'application/vnd.ms-word.document.macroenabled.12': 'docx',
  'application/vnd.ms-word.template.macroenabled.12': 'docx',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
  'message/rfc822': 'mail',
  'multipart/related': 'mail',
  'application/x-mimearchive': 'mail',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'text/plain': 'text',
  'text/markdown': 'text',
  'text/x-markdown': 'text',
};

/** @returns undefined for an unknown type, such as `application/octet-stream` */
export const statedTypeOf = (contentType: string): FileType | undefined =>
  types[contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''];

/**
 * A text may be read as several types: the source of a page is plain text, too.
 * @param content the type that the content shows
 * @returns the type as which the text is read
 */
export function readAs(
  stated: FileType | undefined,
  content: 'html' | 'mail' | 'text',
  text: string,
): 'html' | 'mail' | 'csv' | 'text' {
  if (stated === 'text') return 'text';
  // Any text may be a part of a page. Only mails and whole pages show what they are.
  if (stated === 'html' && content !== 'mail') return 'html';
  if (stated === 'csv' && content !== 'mail' && !isPage.test(text)) return 'csv';
  if (stated === 'mail' && hasHeader(text)) return 'mail';
  return content;
}

const isPage = /^\s*<(?:!doctype\s+html|html)[\s>]/i;
/** The first line of a mail is a field of its header (RFC 5322, section 2.2). */
const firstField = /^\s*([!-9;-~]+):/;
const hasHeader = (text: string): boolean => (firstField.exec(text)?.[1]?.length ?? Infinity) <= 100;

const names: Readonly<Record<FileType, string>> = {
  pdf: 'PDF',
  docx: 'a document of Word',
  rtf: 'RTF',
  mail: 'a mail',
  html: 'HTML',
  csv: 'CSV',
  text: 'text',
};

export const contradiction = (contentType: string, content: FileType): NotExtractable =>
  new NotExtractable(
    'unsupported_type',
    `The file was sent as ${contentType.split(';', 1)[0]?.trim()}, but its content is ${names[content]}. Send it with its type, or without one.`,
  );
