/** Writes llms.txt (https://llmstxt.org): the API in one Markdown text, for language models. */

import { type Field, type Operation, readDocument } from './read.ts';
import type { Json } from './schemas.ts';

/** @param json the OpenAPI document */
export function llmsText(json: Json): string {
  const { info, tags, operations } = readDocument(json);
  const sections = tags.map(({ name, description }) => {
    const ofTag = operations.filter(({ tag }) => tag === name);
    return [`## ${name}`, description, ...ofTag.map(described)].join('\n\n');
  });
  return [
    `# ${info.title}`,
    `> ${info.summary}`,
    'Paths are below the base URL, which ends with `/api/v1`. The examples are real requests and responses.',
    info.description,
    ...sections,
    '## More',
    '- [OpenAPI document](openapi.json): every schema, field and error, for programs\n- [API reference](docs): the same, for people',
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function described(operation: Operation): string {
  const { method, path, id, summary, description, parameters, fields, body, response } = operation;
  const shown = parameters.filter(({ name }) => name !== 'Idempotency-Key');
  const inputs = [...shown, ...fields.map((field) => ({ ...field, in: 'body' }))];
  return [
    `### ${summary}`,
    `\`${method} ${path}\` (\`${id}\`)`,
    description,
    ...(inputs.length > 0 ? [inputs.map(listed).join('\n')] : []),
    ...(body ? [`Request: \`${JSON.stringify(body)}\``] : []),
    ...(response ? [`Response ${response.status}: \`${JSON.stringify(response.body)}\``] : []),
  ].join('\n\n');
}

function listed({ name, in: where, required, description, schema }: Field & { in: string }): string {
  const values = Array.isArray(schema.enum)
    ? ` One of ${schema.enum.map((value) => `\`${value}\``).join(', ')}.`
    : '';
  return `- \`${name}\` (${where}${required ? '' : ', optional'}): ${description}${values}`;
}
