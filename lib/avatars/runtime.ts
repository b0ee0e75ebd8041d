/**
 * The settings of an avatar that only the caller's runtime reads, such as its tools. The service stores them as text: an attribute of
 * DynamoDB has at most 32 levels, and other numbers than JSON.
 */

import * as z from 'zod';

export const maxRuntimeBytes = 64 * 1024;

export const runtime = z.unknown().meta({
  description:
    'JSON for your own runtime, such as its tools, its model and the settings of its voice. Null for none. The service does not ' +
    'interpret it. Do not store secrets in it: whoever reads the avatar reads it.',
  example: { model: 'gpt-realtime', temperature: 0.6, tools: [{ name: 'find_order' }] },
});

/** Its levels and its numbers are checked in the text of the body (lib/base/own-json.ts). */
export const sentRuntime = runtime
  .check(({ value, issues }) => {
    const path = malformedIn(value);
    if (path) issues.push({ code: 'custom', message: 'must be well-formed Unicode', path, input: value });
    const bytes = Buffer.byteLength(JSON.stringify(value) ?? '');
    if (bytes > maxRuntimeBytes) {
      const message = `must be at most ${maxRuntimeBytes} bytes of UTF-8 as JSON, and has ${bytes}`;
      issues.push({ code: 'custom', message, input: value });
    }
  })
  .meta({
    rule: 'At most 64 KB of UTF-8 as JSON and 100 levels. Numbers are those that a double holds exactly, apart from further digits of a fraction.',
  });

/** @returns the path of the first text or name with half of a surrogate pair. Storing it would silently change it */
function malformedIn(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const path = name.isWellFormed() ? malformedIn(member) : [];
    if (path) return [name, ...path];
  }
  return undefined;
}

/** An avatar, or a version of one. Those of an earlier version of the service have no `runtime`. */
export type WithRuntimeText<Kind extends { runtime: unknown }> = Omit<Kind, 'runtime'> & {
  /** JSON; null for no runtime. */
  runtime?: string | null;
};

export const storedRuntime = (value: unknown): string | null =>
  value === null ? null : JSON.stringify(value);

export const withRuntime = <Kind extends { runtime?: string | null }>({
  runtime: text,
  ...fields
}: Kind): Omit<Kind, 'runtime'> & { runtime: unknown } => ({
  ...fields,
  runtime: text == null ? null : JSON.parse(text),
});
