/** The messages of zod's English locale, for the issues of these schemas. They are used where neither a schema nor the settings have a message. */

import type { Issue } from './issue.ts';

const units: Readonly<Record<string, string>> = { string: 'characters', array: 'items' };
const formats: Readonly<Record<string, string>> = { datetime: 'ISO datetime' };

export function englishMessage(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `Invalid input: expected ${issue.expected}, received ${typeName(issue.input)}`;
    case 'invalid_value':
      return unequal(issue.values as readonly unknown[]);
    case 'too_big':
      return `Too big: expected ${amount(issue, '<', issue.maximum)}`;
    case 'too_small':
      return `Too small: expected ${amount(issue, '>', issue.minimum)}`;
    case 'invalid_format':
      return issue.format === 'regex'
        ? `Invalid string: must match pattern ${issue.pattern}`
        : `Invalid ${formats[String(issue.format)] ?? issue.format}`;
    case 'not_multiple_of':
      return `Invalid number: must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys': {
      const keys = issue.keys as readonly string[];
      return `Unrecognized key${keys.length > 1 ? 's' : ''}: ${keys.map(quoted).join(', ')}`;
    }
    case 'invalid_key':
      return `Invalid key in ${issue.origin}`;
    case 'invalid_union':
      return Array.isArray(issue.options)
        ? `Invalid discriminator value. Expected ${issue.options.map((value) => `'${value}'`).join(' | ')}`
        : 'Invalid input';
    default:
      return 'Invalid input';
  }
}

const unequal = (values: readonly unknown[]): string =>
  values.length === 1
    ? `Invalid input: expected ${quoted(values[0])}`
    : `Invalid option: expected one of ${values.map(quoted).join('|')}`;

const quoted = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : String(value));

function amount({ inclusive, origin }: Issue, sign: string, limit: unknown): string {
  const relation = `${sign}${inclusive ? '=' : ''}`;
  const unit = units[String(origin)];
  return unit ? `${origin} to have ${relation}${limit} ${unit}` : `${origin} to be ${relation}${limit}`;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : String(value);
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'object' || Object.getPrototypeOf(value) === Object.prototype) return typeof value;
  return value.constructor?.name ?? 'object';
}
