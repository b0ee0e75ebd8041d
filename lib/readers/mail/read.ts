/**
 * Reads mails (EML) and pages that a browser has saved as one file (MHTML): subject, sender, date and body, also of the mails in a
 * mail. Attachments are not read.
 */

import type { BlockSink, ExtractionNote } from '../blocks.ts';
import { decode, notesOf } from '../encoding/decode.ts';
import { readHtml } from '../html/read.ts';
import { summed } from '../notes.ts';
import { readPlain } from '../plain.ts';
import { NotExtractable } from '../types.ts';
import { unflowed } from './flowed.ts';
import { headerFields } from './header.ts';
import { type MailPart, partsOf } from './parts.ts';

/** A mail in a mail is divided into its parts again, so the work grows with the depth. */
const maxMailsInMails = 10;

/**
 * @param elementLimit the number of elements that the HTML of a part may make
 * @returns what was left out
 * @throws NotExtractable if the mail is broken or encrypted; TooComplex
 */
export async function readMail(
  bytes: Uint8Array,
  sink: BlockSink,
  elementLimit: number,
): Promise<ExtractionNote[]> {
  const notes: ExtractionNote[] = [];

  const readMessage = async (message: Uint8Array, depth: number): Promise<void> => {
    const mail = withoutSpace(message);
    const field = headerFields(mail);
    const subject = field('subject');
    if (subject) sink({ type: 'heading', level: depth + 1, text: subject });
    const sender = senderOf(field('from') ?? '');
    if (sender) sink({ type: 'field', label: 'From', value: sender });
    const date = field('date');
    if (date) sink({ type: 'field', label: 'Date', value: date });
    const root = await partsOf(mail);
    if (depth === 0) refuseEncrypted(root);
    await readPart(root, depth, false);
  };
  const readPart = async (part: MailPart, depth: number, isRelated: boolean): Promise<void> => {
    const { multipart } = part.contentType;
    const children = multipart === 'alternative' ? bestOf(part.childNodes) : part.childNodes;
    for (const child of children) await readPart(child, depth, isRelated || multipart === 'related');
    if (part.childNodes.length > 0 || !part.content || part.content.byteLength === 0) return;
    if (isMessage(part) && depth < maxMailsInMails)
      await readMessage(new Uint8Array(part.content), depth + 1);
    else if (isBody(part)) readText(part, new Uint8Array(part.content));
    else if (!multipart && isAttachment(part, isRelated))
      notes.push({ code: 'attachments_left_out', count: 1 });
  };
  const readText = (part: MailPart, content: Uint8Array): void => {
    const { params } = part.contentType.parsed;
    const isMarkup = isHtml(part);
    const contentType = params.charset === undefined ? '' : `charset="${params.charset}"`;
    const decoded = decode(content, { isMarkup, contentType });
    const { text } = decoded;
    notes.push(...notesOf(decoded));
    if (isMarkup) notes.push(...readHtml(text, sink, elementLimit));
    else if (isYes(params.format, 'flowed')) readPlain(unflowed(text, isYes(params.delsp, 'yes')), sink);
    else readPlain(text, sink);
  };

  await readMessage(bytes, 0);
  return summed(notes);
}

const isYes = (parameter: string | undefined, value: string): boolean => parameter?.toLowerCase() === value;

const spaces = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);

/** White space or a byte order mark before the header would end it. */
function withoutSpace(mail: Uint8Array): Uint8Array {
  const start = mail.findIndex((byte) => !spaces.has(byte));
  return start === -1 ? mail : mail.subarray(start);
}

/** A page that a browser has saved has no sender, but a text of the browser in its place. */
function senderOf(from: string): string | undefined {
  if (/^<saved by /i.test(from)) return undefined;
  return from.replace(/^<([^<>]*)>$/, '$1').replace(/^"([^"]*)"\s*(?=<)/, '$1 ');
}

const typeOf = (part: MailPart): string => part.contentType.parsed.value;
const isAttached = (part: MailPart): boolean => part.contentDisposition.parsed.value === 'attachment';
const isHtml = (part: MailPart): boolean => ['text/html', 'application/xhtml+xml'].includes(typeOf(part));
const isMessage = (part: MailPart): boolean => typeOf(part) === 'message/rfc822' && !isAttached(part);

const plainTypes = ['', 'text', 'text/plain', 'text/markdown'];

/** A part with parts whose boundary is not stated is shown as it is. */
const isBody = (part: MailPart): boolean =>
  !isAttached(part) &&
  (isHtml(part) ||
    plainTypes.includes(typeOf(part)) ||
    (part.contentType.multipart !== false && !part.contentType.parsed.params.boundary));

/** @returns the alternative with HTML, or else with a text. The last one is the most faithful (RFC 2046, section 5.1.4) */
function bestOf(parts: readonly MailPart[]): readonly MailPart[] {
  const last = (is: (part: MailPart) => boolean) => parts.findLast((part) => hasPart(part, is));
  const best = last((part) => isHtml(part) && !isAttached(part)) ?? last(isBody) ?? parts.at(-1);
  return best ? [best] : [];
}

const hasPart = (part: MailPart, is: (part: MailPart) => boolean): boolean =>
  part.childNodes.length > 0 ? part.childNodes.some((child) => hasPart(child, is)) : is(part);

/** A signature shows no more than that the mail is signed. */
const signature = /^application\/(?:pgp-signature|(?:x-)?pkcs7-signature)$/;

function isAttachment(part: MailPart, isRelated: boolean): boolean {
  const isNamed = [part.contentDisposition, part.contentType].some(
    ({ parsed: { params } }) => (params.filename ?? params.name) !== undefined,
  );
  // Pictures and styles that the HTML shows are no attachments.
  const isOfPage =
    (isRelated || part.contentId !== undefined) && (!isNamed || typeOf(part).startsWith('image/'));
  return (isAttached(part) || !isOfPage) && !signature.test(typeOf(part));
}

/** @throws NotExtractable (RFC 8551, section 3.3; RFC 3156, section 4) */
function refuseEncrypted(part: MailPart): void {
  const isSmime = /^application\/(?:x-)?pkcs7-mime$/.test(typeOf(part));
  const kind = part.contentType.parsed.params['smime-type']?.toLowerCase();
  if ((isSmime && kind !== 'signed-data' && kind !== 'certs-only') || typeOf(part) === 'multipart/encrypted')
    throw new NotExtractable('encrypted', 'The mail is encrypted. Save it without encryption.');
}
