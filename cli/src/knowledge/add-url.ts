/** Makes a source of a URL, and refreshes it at once. */

import type { KnowledgeSourceCreateRequest } from '../../../clients/typescript/src/index.ts';
import { CliError } from '../errors.ts';
import type { Session } from '../session.ts';
import { refreshNote, waitForRefresh } from './refresh.ts';

export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

export async function addUrl(
  session: Session,
  body: KnowledgeSourceCreateRequest,
  isWaiting: boolean,
): Promise<void> {
  const { out, project } = session;
  const { sources } = project.knowledge;
  // Two sources with the same pages would have each document twice.
  for await (const { id, url, type } of sources.list({ limit: 100 }))
    if (hrefOf(url) === hrefOf(body.url) && type === body.type)
      throw new CliError(
        'conflict',
        `The source ${id} has this URL already.`,
        `To refresh it: platform knowledge sources refresh ${id}`,
      );
  const source = await sources.create(body);
  if (!out.json) out.note(`Created the source ${source.id}.`);
  const job = await sources.refresh(source.id);
  if (isWaiting) return waitForRefresh(session, source, job.id);
  await out.item({ ...source, jobId: job.id });
  out.note(refreshNote(job.id));
}

const hrefOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);
