/** The text of a file, which the service extracts: how to wait for it, and what to do without it. */

import { useEffect } from 'preact/hooks';
import type { KnowledgeDocument } from '../../../../clients/typescript/src/index.ts';
import { platform } from '../../session/session.ts';

/** What a user can do, by the code of the error, if the message of the error does not say it. */
const repairs: Readonly<Record<string, string>> = {
  unreadable_file: 'Open it in its program, save it again, and upload it again.',
  document_too_large: 'Split it, and upload the parts.',
  document_too_complex: 'Split it, or upload its text.',
  file_missing: 'Upload it again.',
  quota_exceeded: 'Delete documents, or have the quota raised. Then upload it again.',
};

type Failure = NonNullable<KnowledgeDocument['extractionError']>;

/** @returns why the file has no text, and what to do about it */
export const failureText = ({ code, message }: Failure): string =>
  [message, repairs[code]].filter(Boolean).join(' ');

/** @returns the text and the tone of the badge of a document */
export const stateOf = ({
  extraction,
  status,
  ignored,
}: KnowledgeDocument): { value: string; tone?: 'busy' } => {
  if (ignored) return { value: 'ignored' };
  return extraction === 'pending' ? { value: 'extracting', tone: 'busy' } : { value: status };
};

const leastPauseMs = 500;
const mostPauseMs = 3000;

/** @returns the document when its file has been read */
export async function untilExtracted(
  project: string,
  id: string,
  signal: AbortSignal,
): Promise<KnowledgeDocument> {
  for (let pauseMs = leastPauseMs; ; pauseMs = Math.min(pauseMs * 1.3, mostPauseMs)) {
    const document = await platform().projects(project).knowledge.documents.get(id, { signal });
    if (document.extraction !== 'pending') return document;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    signal.throwIfAborted();
  }
}

/**
 * Loads documents again while the service reads their files.
 * @param isPending whether a document on the page waits for its text
 * @param answer the last answer. Each answer starts a pause
 */
export function useRepeat(isPending: boolean, answer: unknown, reload: () => void, everyMs: number): void {
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(reload, everyMs);
    return () => clearTimeout(timer);
  }, [isPending, answer]);
}
