/** The types of jobs. The OpenAPI document has one type for all, and does not say which result belongs to which type. */

import { type JobType, jobTypeNames, jobTypes as types } from '../../../lib/jobs/types.ts';
import type { Schema } from '../client/document.ts';
import { pascalCase } from '../client/operations.ts';
import { docstring } from './text.ts';

/** The type of the job that an operation starts, unless it has the name of the operation. */
const startedBy: Readonly<Record<string, JobType>> = {
  'conversations.import-file': 'conversations.import',
  'evaluation-runs.create': 'conversations.evaluate',
  'knowledge.documents.delete': 'knowledge.expunge',
  'knowledge.sources.refresh': 'knowledge.refresh',
  'knowledge.sources.delete': 'knowledge.remove-source',
};

const className = (type: string) => `${pascalCase(type)}Job`;

/** The type of the job that an operation returns, such as `KnowledgeReindexJob`; `Job` if it may be any. */
export function jobType(operationId: string): string {
  const type = startedBy[operationId] ?? jobTypeNames.find((name) => name === operationId);
  return type === undefined ? 'Job' : className(type);
}

export function jobTypes(schemas: Readonly<Record<string, Schema>>): string {
  if (!schemas.Job) return '';
  const classes = jobTypeNames.flatMap((name) => {
    const [own, data] = [className(name), types[name].result];
    return [
      `class ${own}(Job):\n${docstring(`A job of the type \`${name}\`.`, '    ')}
    type: Literal["${name}"]
    result: ${data} | None
    _succeeded: Succeeded${own}
`,
      `class Succeeded${own}(${own}):
    status: Literal["succeeded"]
    result: ${data}
    error: None
    finished_at: str
`,
    ];
  });
  const ended = (status: string, error: string) => `class ${pascalCase(status)}Job(Job):
    status: Literal["${status}"]
    result: None
    error: ${error}
    finished_at: str
`;
  const succeeded = jobTypeNames.map((name) => `Succeeded${className(name)}`).join(' | ');
  return `${[...classes, ended('failed', 'Failure'), ended('cancelled', 'None')].join('\n\n')}

AnyJob: TypeAlias = "${jobTypeNames.map(className).join(' | ')}"
SucceededJob: TypeAlias = "${succeeded}"
"""What the job did. \`type\` says which fields the result has."""
EndedJob: TypeAlias = "SucceededJob | FailedJob | CancelledJob"
"""A job that will not change any more. \`status\` says which it is."""
`;
}
