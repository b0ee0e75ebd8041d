/** The result of a job, its failures, and its files. */

import type { ComponentChildren } from 'preact';
import type { Export, Job, PreviewedConversation } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';
import { sizeOf } from '../../shared/amounts.ts';
import { Facts, Loading } from '../../shared/basics.tsx';
import { DocumentLink, ResourceLink } from '../../shared/links.tsx';
import { Problem } from '../../shared/problem.tsx';
import { resourceName } from '../../shared/resource-names.ts';
import { LongText } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { PreviewResults } from '../evaluators/preview-results.tsx';

const labelOf = (name: string): string =>
  name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (first) => first.toUpperCase());

const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z]{2,5}_[0-9A-Z]{26}$/.test(value);

const valueText = (value: unknown): string => {
  if (typeof value === 'number') return value.toLocaleString('en');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null) return 'none';
  return Array.isArray(value) ? value.join(', ') || 'none' : String(value);
};

export function Result({ project, job: { result } }: { project: string; job: Job }) {
  if (!result) return null;
  const {
    errors = [],
    preview,
    ...fields
  } = result as typeof result & {
    errors?: readonly { line: number; code: string; message: string }[];
    preview?: readonly PreviewedConversation[] | null;
  };
  return (
    <>
      <h2>Result</h2>
      <Facts
        facts={Object.entries(fields).map(
          ([name, value]) =>
            [
              labelOf(name.replace(/Id$/, '')),
              isId(value) ? (
                <ResourceLink key={name} id={value} project={project} name={resourceName(value, project)} />
              ) : (
                valueText(value)
              ),
            ] as const,
        )}
      />
      {preview !== undefined && <PreviewResults project={project} preview={preview} />}
      {errors.length > 0 && (
        <Problems
          title="Lines that were not imported"
          rows={errors.map(({ line, code, message }) => ({
            key: `${line}`,
            subject: `Line ${line}`,
            code,
            message,
          }))}
        />
      )}
    </>
  );
}

type Row = { key: string; subject: ComponentChildren; code: string; message: string };

function Problems({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <>
      <h2>{title}</h2>
      <ul class="list job-problems" aria-label={title}>
        {rows.map(({ key, subject, code, message }) => (
          <li key={key}>
            <strong>{subject}</strong> <LongText value={message} /> <code class="quiet">{code}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The documents that failed, or that were indexed with a warning. At most 100 are listed. */
export function Failures({ project, job }: { project: string; job: Job }) {
  const rowOf = ({ documentId, code, message }: Job['failures'][number]): Row => ({
    key: `${documentId} ${code}`,
    subject: <DocumentLink project={project} id={documentId} />,
    code,
    message,
  });
  return (
    <>
      {job.failures.length > 0 && <Problems title="Documents that failed" rows={job.failures.map(rowOf)} />}
      {job.warnings.length > 0 && (
        <Problems title="Documents with a warning" rows={job.warnings.map(rowOf)} />
      )}
    </>
  );
}

/** The files of an export. Each file is complete before the job ends. */
export function ExportFiles({ project, job }: { project: string; job: Job }) {
  const files = useLoad<Export>(
    (signal) => platform().projects(project).exports.get(job.id, { signal }),
    [job.id, job.status, job.progress.done],
  );
  if (files.error !== undefined) return <Problem error={files.error} onRepeat={files.reload} />;
  if (!files.data) return <Loading />;
  const { parts } = files.data;
  if (parts.length === 0) return <p class="quiet">There is no file yet.</p>;
  return (
    <>
      <h2>Files</h2>
      <p class="quiet">
        JSON lines, compressed with gzip. A link works for 15 minutes. The files are kept for a day.
      </p>
      <ul class="list" aria-label="Files">
        {parts.map((part) => (
          <li key={part.number} class="row">
            {part.url ? (
              <a href={part.url} download="" rel="noreferrer">
                Part {part.number}
              </a>
            ) : (
              <span>
                Part {part.number}: {(part.removedBecause ?? part.status).replaceAll('_', ' ')}
              </span>
            )}
            <span class="quiet">
              {part.records.toLocaleString('en')} records, {sizeOf(part.bytes)}, until{' '}
              <Time at={part.expiresAt} />
            </span>
          </li>
        ))}
      </ul>
      <button type="button" class="small" onClick={files.reload}>
        New links
      </button>
    </>
  );
}
