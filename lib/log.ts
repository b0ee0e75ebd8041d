/** The log: one line of JSON each. Never a header, a body, a key or a secret. */

export type LogLine = {
  level: 'error' | 'warn';
  message: string;
  requestId: string;
  endpoint: string;
  error: unknown;
};

/** An error in a form that shows where it came from: DynamoDB's own messages name no values. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? {} : { cause: describe(error.cause) };
  return { name: error.name, message: error.message, stack: error.stack, ...cause };
}

export function log({ error, ...line }: LogLine): void {
  console.error(JSON.stringify({ ...line, error: describe(error) }));
}
