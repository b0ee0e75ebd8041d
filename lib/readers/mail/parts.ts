/** The parts of a mail (RFC 2045 and 2046), with their bytes as they were before they were encoded. */

import PostalMime from 'postal-mime';
import { NotExtractable } from '../types.ts';

type Field = { parsed: { value: string; params: Readonly<Record<string, string>> } };

/** Types and values are in lower case. */
export type MailPart = {
  contentType: Field & { multipart: string | false };
  contentDisposition: Field;
  contentId?: string | undefined;
  /** The bytes of a part that has no parts. */
  content: ArrayBuffer | null;
  childNodes: readonly MailPart[];
};

/**
 * Replaces the method with which the library decodes all texts with the decoders of the platform, and joins them. The types of the
 * library do not show this method, so tests check that it is replaced: those of the encodings of parts.
 */
class Parts extends PostalMime {
  #root: MailPart | undefined;

  async of(bytes: Uint8Array): Promise<MailPart | undefined> {
    await this.parse(bytes);
    return this.#root;
  }

  async collectNode(root: MailPart): Promise<void> {
    this.#root = root;
  }
}

/** @throws NotExtractable if its parts are nested too deeply, or its header is too large */
export async function partsOf(mail: Uint8Array): Promise<MailPart> {
  const root = await new Parts().of(mail).catch(() => undefined);
  if (root) return root;
  throw new NotExtractable('unreadable_file', 'The mail is broken.');
}
