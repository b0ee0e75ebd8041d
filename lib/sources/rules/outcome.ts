/** The outcomes of a request for a page. Pure. */

import type { Fetched } from '../../network/get.ts';
import { retryAfterMs } from '../../network/retry-after.ts';
import type { ExtractionNote } from '../../readers/blocks.ts';
import type { ExtractedText } from '../../readers/types.ts';

export type PageLinks = {
  /** Canonical URLs. */
  urls: readonly string[];
  /** Whether the page has more. */
  isCut: boolean;
};

export type PageContent = {
  title: string;
  text: string;
  mimeType: ExtractedText['mimeType'];
  contentHash: string;
  links: PageLinks;
  /** What its reader left out or changed. */
  notes: readonly ExtractionNote[];
  /** Another address of the host, which the page says is its own. */
  canonical?: string;
};

export type PageFailure = {
  kind: 'failed';
  code: string;
  message: string;
  /** Whether the same request may succeed soon. */
  isTemporary: boolean;
  /** How long the host wants no request. */
  pauseMs?: number;
  /** The links of a page that was read, but has no usable text. */
  links?: PageLinks;
};

export type Outcome =
  | { kind: 'unchanged' }
  | ({ kind: 'content'; etag?: string; lastModified?: string } & PageContent)
  | { kind: 'moved'; to: string; links?: PageLinks }
  | { kind: 'gone' }
  /** It asks not to be found. Its links are known if it was read. */
  | { kind: 'noindex'; links?: PageLinks }
  | PageFailure;

export const noLinks: PageLinks = { urls: [], isCut: false };

export const failure = (code: string, message: string, isTemporary = false): PageFailure => ({
  kind: 'failed',
  code,
  message,
  isTemporary,
});

type Status = Pick<Fetched, 'status'>;

const redirects = new Set([301, 302, 303, 307, 308]);

export const isRedirect = ({ status }: Status): boolean => redirects.has(status);

/** Whether the same request may succeed later. */
export const isBusy = ({ status }: Status): boolean => status === 429 || status >= 500;

/** @returns how long a busy host wants no request */
export const retryPauseMs = (
  response: Status & Pick<Fetched, 'headers'>,
  nowMs: number,
): number | undefined => (isBusy(response) ? retryAfterMs(response.headers.retryAfter, nowMs) : undefined);
