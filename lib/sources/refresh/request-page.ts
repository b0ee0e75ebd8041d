/** Requests a page, and reads what the response has. */

import { failure, type Outcome } from '../rules/outcome.ts';
import { outcomeOf } from '../rules/read-response.ts';
import type { QueueEntry, StoredPage } from '../store/pages.ts';
import { requestedUrl } from './links.ts';
import type { RefreshRun } from './progress.ts';
import { readBody } from './read-body.ts';
import { readFile } from './read-file.ts';

/**
 * @param page the page of the URL, if there is one
 * @returns what the response means. A pause that the host wants begins now. @throws JobFailure if it is too long
 */
export async function requestPage(
  run: RefreshRun,
  entry: QueueEntry,
  page: StoredPage | undefined,
): Promise<Outcome> {
  const { hosts, input, reader } = run;
  const { isFresh } = entry;
  const url = requestedUrl(entry);
  const isConditional =
    !isFresh && !run.state.isReread && page && page.contentHash !== null && page.documentId !== null;
  const { etag, lastModified } = page ?? {};
  const headers = {
    ...(isConditional && etag !== undefined && { 'if-none-match': etag }),
    ...(isConditional && lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
  const response = await hosts.request(new URL(url), headers, readBody);
  const requested = { url, isConditional: Object.keys(headers).length > 0 };
  const context = {
    rules: input.network,
    nowMs: input.nowMs(),
    readHtml: reader.page,
    readFile: (file: Uint8Array, contentType: string | undefined) => readFile(run, entry, file, contentType),
  };
  if ('error' in response) {
    const { error } = response;
    if (error === 'robots_disallowed')
      return failure(error, 'The robots.txt of the host does not allow the request.');
    if (error === 'robots_unreachable')
      return failure(error, 'The robots.txt of the host could not be read.');
    return outcomeOf({ error }, requested, context);
  }
  const outcome = await outcomeOf(response, requested, context);
  if (outcome.kind === 'failed' && outcome.pauseMs !== undefined)
    await hosts.pause(new URL(url), outcome.pauseMs);
  return outcome;
}
