/** Reads mails (EML) and pages that a browser has saved as one file (MHTML): subject, sender, date and body. Attachments are not read. */

import PostalMime, { type Email } from 'postal-mime';
import type { BlockSink, ExtractionNote } from '../blocks.ts';
import { readHtml } from '../html/read.ts';
import { readPlain } from '../plain.ts';

/** The header of a mail ends with an empty line. */
const headerWithin = 64 * 1024;
const field = /^([!-9;-~]{1,100}):/;
const ofTransport = ['mime-version', 'message-id', 'received', 'return-path'];
const ofMail = ['from', 'subject', 'date', 'content-type'];

/** @param start the beginning of a text, one character for each byte @returns whether it has the header of a mail (RFC 5322, section 2.2) */
export function isMail(start: string): boolean {
  const names = new Set<string>();
  const lines = start.slice(0, headerWithin).trimStart().split(/\r?\n/);
  for (const line of lines) {
    if (line === '') break;
    if (/^[ \t]/.test(line)) continue;
    const [, name] = field.exec(line) ?? [];
    if (name === undefined) return false;
    names.add(name.toLowerCase());
  }
  return ofTransport.some((name) => names.has(name)) && ofMail.some((name) => names.has(name));
}

/**
 * @param elementLimit the number of elements that its HTML may make
 * @returns what was left out
 * @throws Error if the parts of the mail are nested too deeply
 */
export async function readMail(
  bytes: Uint8Array,
  sink: BlockSink,
  elementLimit: number,
): Promise<ExtractionNote[]> {
  const mail = await PostalMime.parse(bytes);
  if (mail.subject) sink({ type: 'heading', level: 1, text: mail.subject });
  const sender = senderOf(mail);
  if (sender) sink({ type: 'field', label: 'From', value: sender });
  // The date as it is written has the time zone of the sender.
  const date = mail.headers.find(({ key }) => key === 'date')?.value;
  if (date) sink({ type: 'field', label: 'Date', value: date });
  if (mail.html) readHtml(mail.html, sink, elementLimit);
  else readPlain(mail.text ?? '', sink);
  const attachments = attachmentsOf(mail);
  return attachments > 0 ? [{ code: 'attachments_left_out', count: attachments }] : [];
}

/** Browsers save pages with a sender that has no address. */
function senderOf({ from }: Email): string | undefined {
  if (!from?.address?.includes('@')) return undefined;
  return from.name ? `${from.name} <${from.address}>` : from.address;
}

/** Pictures and styles that the HTML shows are no attachments. */
function attachmentsOf({ attachments, headers }: Email): number {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  const isPage = /^\s*multipart\/related/i.test(type);
  return attachments.filter(
    ({ disposition, related, contentId }) =>
      disposition === 'attachment' || !(isPage || related || contentId !== undefined),
  ).length;
}
