/** Shows a job. Its failures and warnings are grouped by kind, with the titles of the documents. */

import { ApiError, type Job } from '../../../clients/typescript/src/index.ts';
import type { Session } from '../session.ts';
import { counted, safeLine } from './text.ts';

type Problem = Job['failures'][number];

/** The most failures, and the most warnings, that a job lists. */
const maxListed = 100;
/** How many documents of a kind are named. */
const maxNamed = 10;

/** Prints a job. With `--json`, it prints the job as the API returns it. */
export async function printJob(session: Session, job: Job): Promise<void> {
  const { out } = session;
  if (out.json) return out.jsonLine(job);
  const { failures, warnings, ...fields } = job;
  await out.item(fields);
  await printProblems(session, failures, 'could not be indexed');
  await printProblems(session, warnings, 'indexed without some of the text');
  if (failures.length > 0)
    out.warn(
      `${countOf(failures)} could not be indexed. Send each again with a text that can be read, delete it, or ignore it: ` +
        'platform knowledge ignore ID',
    );
}

const countOf = ({ length }: readonly Problem[]): string =>
  `${length < maxListed ? '' : 'At least '}${counted(length, 'document')}`;

async function printProblems(session: Session, problems: readonly Problem[], what: string): Promise<void> {
  const { out } = session;
  for (const code of new Set(problems.map((problem) => problem.code))) {
    const all = problems.filter((problem) => problem.code === code);
    await out.text(`\n${counted(all.length, 'document')} ${what} (${safeLine(code)}):`);
    const examples = all.slice(0, maxNamed);
    const rows = await Promise.all(
      examples.map(async ({ documentId, message }) => ({
        title: await titleOf(session, documentId),
        id: documentId,
        reason: message,
      })),
    );
    await out.rows(rows, {
      document: ({ title }) => title,
      id: ({ id }) => id,
      reason: ({ reason }) => reason,
    });
    if (all.length > maxNamed) await out.text(`and ${all.length - maxNamed} more. --json lists them.`);
  }
}

/** @returns undefined for a document that is deleted, or that the key may not read */
const titleOf = ({ project }: Session, id: string): Promise<string | undefined> =>
  project.knowledge.documents.get(id).then(
    ({ title }) => title,
    (error) => {
      if (error instanceof ApiError) return undefined;
      throw error;
    },
  );
