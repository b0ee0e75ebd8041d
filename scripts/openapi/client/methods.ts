/** One class per resource, with one method per operation. */

import type { Field } from './document.ts';
import { camelCase, type Operation, pascalCase } from './operations.ts';
import { comment } from './types.ts';

/** `knowledge.documents` of `knowledge.documents.list`; empty for `health`. */
export const groupOf = ({ id }: Operation) => id.split('.').slice(0, -1).join('.');

/** Where the operations of a project begin. */
const projectPath = '/projects/{project_id}';

/** Whether the class is bound to a project, so that its methods do not take the project's id. */
export const isBound = (operation: Operation) =>
  operation.path.startsWith(`${projectPath}/`) && groupOf(operation) !== 'projects';

export const className = (group: string) => `${pascalCase(group)}Methods`;

export function methods(operations: readonly Operation[]): string {
  const groups = Map.groupBy(operations, groupOf);
  const classes = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, members]) => {
      const body = members.map(method).join('\n');
      return `export class ${className(group || 'service')} extends Resource {\n${body}}\n`;
    });
  const words = new Set(classes.join('').split(/\W/));
  const options = ['IfMatchOptions', 'IfNoneMatchOptions', 'PostOptions', 'RequestOptions'].filter((name) =>
    words.has(name),
  );
  const types = [...new Set(operations.flatMap(typesIn))].sort();
  return `import type { ${options.join(', ')} } from '../core/options.ts';
import type { ApiPromise, PagePromise } from '../core/promise.ts';
import { Resource, url } from '../core/resource.ts';
import type {
${types.map((name) => `  ${name},\n`).join('')}} from './types.ts';

${classes.join('\n')}`;
}

const queryType = ({ id }: Operation) => pascalCase(`${id}.query`);

const typesIn = (operation: Operation): string[] => [
  ...operation.data.type.split(' | '),
  ...(operation.body ? [operation.body.type] : []),
  ...(operation.query.length > 0 ? [queryType(operation)] : []),
];

function method(operation: Operation): string {
  const { id, body, data, isList, query, summary, description, takes } = operation;
  const name = camelCase(id.split('.').at(-1) ?? '');
  const needsQuery = query.some(({ required }) => required);
  const inPath = pathFields(operation).map((field) => `${parameterName(field)}: ${parameterType(field)}`);
  const head = [
    ...inPath,
    ...(body ? [`body: ${body.type}${body.canBeEmpty && operation.method === 'POST' ? ' = {}' : ''}`] : []),
    ...(query.length > 0 ? [`query${needsQuery ? '' : '?'}: ${queryType(operation)}`] : []),
  ];
  const text = comment(`${summary}.\n\n${description}`, '  ');
  const content = [...(query.length > 0 ? ['query'] : []), ...(body ? ['body'] : [])];
  const path = `url\`${pathTemplate(operation)}\``;
  if (isList) {
    const signature = `${name}(${[...head, 'options?: RequestOptions'].join(', ')}): PagePromise<${data.type}>`;
    return `${text}  ${signature} {
    return this.pages<${data.type}>(${path}, query, options);
  }
`;
  }
  const call = (type: string, sent = content.length > 0 ? `{ ${content.join(', ')} }` : '{}') =>
    `return this.call<${type}>('${operation.method}', ${path}, ${sent}, options);`;
  if (takes.ifNoneMatch) {
    if (needsQuery) throw new Error(`${id} has a parameter that is required, which is not among the options`);
    // Callers pass the options behind the path, so parameters that came later are among them.
    const also = query.length > 0 ? `${queryType(operation)} & ` : '';
    const parameters = query.map(({ name }) => `${name}: options?.${name}`).join(', ');
    const sent = query.length > 0 ? `{ query: { ${parameters} } }` : '{}';
    const one = (options: string, type: string) =>
      `${name}(${[...inPath, options].join(', ')}): ApiPromise<${type}>`;
    const maybe = `${data.type} | undefined`;
    return `${text}  ${one(`options?: ${also}RequestOptions & { ifNoneMatch?: undefined }`, data.type)};
  /** With \`ifNoneMatch\`, the result is undefined if nothing has changed. */
  ${one(`options: ${also}IfNoneMatchOptions`, maybe)};
  ${one(`options?: ${also}IfNoneMatchOptions`, maybe)} {
    ${call(maybe, sent)}
  }
`;
  }
  const options =
    [...(takes.idempotencyKey ? ['PostOptions'] : []), ...(takes.ifMatch ? ['IfMatchOptions'] : [])].join(
      ' & ',
    ) || 'RequestOptions';
  return `${text}  ${name}(${[...head, `options?: ${options}`].join(', ')}): ApiPromise<${data.type}> {
    ${call(data.type)}
  }
`;
}

const pathFields = (operation: Operation) =>
  operation.pathParameters.filter(({ name }) => !(isBound(operation) && name === 'project_id'));

const parameterName = ({ name }: Field) => camelCase(name);

const parameterType = ({ schema }: Field) =>
  schema.type === 'integer' || schema.type === 'number' ? 'number' : 'string';

function pathTemplate(operation: Operation): string {
  const path = isBound(operation) ? operation.path.slice(projectPath.length) : operation.path;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => `\${${camelCase(name)}}`);
}
