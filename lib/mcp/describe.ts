/** This tool describes another tool. The list of tools has only the types of arguments, and this tool has the rest. */

import { maxAnswerBytes } from './answer.ts';
import { toolNamed } from './tools.ts';

export const describeTool = {
  name: 'describe',
  description: 'Describes a tool: what it does, its arguments with their forms and limits, its errors',
  inputSchema: {
    type: 'object' as const,
    properties: { tool: { type: 'string' } },
    required: ['tool'],
  },
  annotations: { readOnlyHint: true },
};

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns the value with its references replaced up to this depth, because a schema may contain itself */
function resolve(document: Json, value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((entry) => resolve(document, entry, depth));
  if (!isObject(value)) return value;
  if (typeof value.$ref === 'string')
    return depth === 0 ? {} : resolve(document, atReference(document, value.$ref), depth - 1);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !/^(example|examples)$/.test(name))
      .map(([name, member]) => [name, resolve(document, member, depth)]),
  );
}

const atReference = (document: Json, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), document);

/**
 * @param document the OpenAPI document of the service
 * @returns what the document says about the operation of the tool; undefined if it has no such operation
 */
export function describeOperation(document: unknown, name: string): Json | undefined {
  const tool = toolNamed(name);
  if (!tool || !isObject(document) || !isObject(document.paths)) return undefined;
  const methods = document.paths[tool.path];
  const operation = isObject(methods) ? methods[tool.method.toLowerCase()] : undefined;
  if (!isObject(operation)) return undefined;
  let description: Json | undefined;
  for (const depth of depths) {
    const candidate = describeToDepth(document, operation, name, depth);
    if (description && JSON.stringify(candidate).length > maxAnswerBytes) break;
    description = candidate;
  }
  return description;
}

/** References are replaced as deep as fits into an answer. A rule of an evaluator contains rules. */
const depths = [1, 2, 3, 4, 6];

function describeToDepth(document: Json, operation: Json, name: string, depth: number): Json {
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
  const toolArguments = parameters
    .map((parameter) => resolve(document, parameter, depth))
    .filter((parameter) => isObject(parameter) && (parameter.in === 'path' || parameter.in === 'query'));
  const body = resolve(document, operation.requestBody, depth);
  const content = isObject(body) && isObject(body.content) ? body.content['application/json'] : undefined;
  return {
    tool: name,
    description: operation.description ?? operation.summary,
    arguments: toolArguments,
    ...(isObject(content) && { body: content.schema }),
    errors: operation['x-errors'],
  };
}
