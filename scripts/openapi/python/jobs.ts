/** The types of jobs. The OpenAPI document has one type for all, and does not say which result belongs to which type. */

import { isRef, nameIn, type Schema } from '../client/document.ts';
import { pascalCase } from '../client/operations.ts';
import { docstring } from './text.ts';

/** The result of a job of each type. */
const results: Readonly<Record<string, string>> = {
  'knowledge.reindex': 'ReindexResult',
  'knowledge.expunge': 'ExpungeResult',
  'knowledge.refresh': 'RefreshResult',
  'knowledge.remove-source': 'RemoveSourceResult',
  'conversations.erase': 'EraseResult',
  'conversations.evaluate': 'EvaluateResult',
  'conversations.reindex': 'ConversationsReindexResult',
  'conversations.export': 'ExportResult',
  'conversations.import': 'ImportResult',
  'knowledge.export': 'ExportResult',
  'audit.export': 'ExportResult',
};

/** The type of the job that an operation starts, unless it has the name of the operation. */
const startedBy: Readonly<Record<string, string>> = {
  'conversations.import-file': 'conversations.import',
  'evaluation-runs.create': 'conversations.evaluate',
  'knowledge.documents.delete': 'knowledge.expunge',
  'knowledge.sources.refresh': 'knowledge.refresh',
  'knowledge.sources.delete': 'knowledge.remove-source',
};

const className = (type: string) => `${pascalCase(type)}Job`;

/** The type of the job that an operation returns, such as `KnowledgeReindexJob`; `Job` if it may be any. */
export function jobType(operationId: string): string {
  const type = startedBy[operationId] ?? operationId;
  return type in results ? className(type) : 'Job';
}

export function jobTypes(schemas: Readonly<Record<string, Schema>>): string {
  const { type, result } = schemas.Job?.properties ?? {};
  if (!type || !result) return '';
  const types = (type['x-extensible-enum'] ?? []).map(String);
  const declared = new Set(refsIn(result));
  if (
    `${types.toSorted()}` !== `${Object.keys(results).toSorted()}` ||
    Object.values(results).some((name) => !declared.has(name))
  )
    throw new Error('scripts/openapi/python/jobs.ts does not know every type of jobs and its result');
  const classes = types.flatMap((name) => {
    const [own, data] = [className(name), results[name]];
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
  const succeeded = types.map((name) => `Succeeded${className(name)}`).join(' | ');
  return `${[...classes, ended('failed', 'Failure'), ended('cancelled', 'None')].join('\n\n')}

AnyJob: TypeAlias = "${types.map(className).join(' | ')}"
SucceededJob: TypeAlias = "${succeeded}"
"""What the job did. \`type\` says which fields the result has."""
EndedJob: TypeAlias = "SucceededJob | FailedJob | CancelledJob"
"""A job that will not change any more. \`status\` says which it is."""
`;
}

const refsIn = (schema: Schema): string[] =>
  isRef(schema) ? [nameIn(schema)] : [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(refsIn);
