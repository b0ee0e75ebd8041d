/** Waits for the job of a refresh of a source, and prints its result. */

import type { EndedJob, KnowledgeSource, SourcePage } from '../../../clients/typescript/src/index.ts';
import { JobFailedError } from '../../../clients/typescript/src/index.ts';
import { Interrupted } from '../errors.ts';
import { progressBar } from '../output/progress.ts';
import { counted, safeLine } from '../output/text.ts';
import type { Session } from '../session.ts';

type RefreshedJob = Extract<EndedJob, { type: 'knowledge.refresh'; status: 'succeeded' }>;
type Result = RefreshedJob['result'];

/** How many failed pages are printed. `knowledge sources pages` lists more. */
const maxPages = 5;

export const refreshNote = (job: string): string =>
  `The refresh runs. To wait for it: platform jobs wait ${job}`;

/** @throws JobFailedError unless the job succeeds */
export async function waitForRefresh(
  session: Session,
  { id, url }: Pick<KnowledgeSource, 'id' | 'url'>,
  job: string,
): Promise<void> {
  const { out, project, shell, signal } = session;
  const bar = progressBar(shell, 'Refreshing', out.json);
  try {
    const endedJob = await project.jobs.wait(job, {
      signal,
      onProgress: ({ progress, status }) =>
        bar.update(progress.done, progress.total || undefined, progress.done > 0 ? 'pages' : status),
    });
    bar.stop();
    if (endedJob.status !== 'succeeded') throw new JobFailedError(endedJob);
    if (endedJob.type === 'knowledge.refresh') await report(session, { id, url }, endedJob);
  } catch (error) {
    bar.stop();
    if (error instanceof Interrupted)
      out.note(`The refresh goes on. To wait for it: platform jobs wait ${job}`);
    throw error;
  } finally {
    bar.stop();
  }
}

async function report(
  { out, project }: Session,
  { id, url }: Pick<KnowledgeSource, 'id' | 'url'>,
  { id: job, result }: RefreshedJob,
): Promise<void> {
  await (out.json ? out.jsonLine({ job, url, ...result }) : out.text(`${url}: ${countsOf(result)}`));
  if (result.failedPages > 0) {
    out.warn(
      `${counted(result.failedPages, 'page')} could not be read: platform knowledge sources pages ${id} --status failed`,
    );
    const pages: SourcePage[] = [];
    for await (const page of project.knowledge.sources.listPages(id, { status: 'failed', limit: 100 }))
      if (pages.push(page) === maxPages) break;
    for (const page of pages) out.note(safeLine(`  ${page.url}: ${page.error?.message ?? ''}`));
  }
  const { noindex = 0 } = result;
  if (noindex > 0)
    out.warn(
      `${counted(noindex, 'page')} with noindex ${noindex === 1 ? 'was' : 'were'} left out: platform knowledge sources pages ${id} --status noindex`,
    );
  if (result.isLimited) out.warn('The source may have more pages: --max-pages of the source is their limit.');
  if (result.unconfirmed > 0)
    out.warn(
      `${counted(result.unconfirmed, 'document')} would be removed, more than half of the source. If this is right: ` +
        `platform knowledge sources refresh ${id} --confirm`,
    );
}

/** @returns the counts as a text. Counts that are usually 0 are left out if they are 0 */
function countsOf(result: Result): string {
  const { pages, created, updated, unchanged, duplicates, moved, noindex = 0, removed, failedPages } = result;
  const rareCounts = { duplicates, moved, noindex, removed, failed: failedPages };
  return [
    counted(pages, 'page'),
    ...Object.entries({ created, updated, unchanged })
      .concat(Object.entries(rareCounts).filter(([, count]) => count > 0))
      .map(([name, count]) => `${count} ${name}`),
  ].join(', ');
}
