/**
 * Code samples for the operations: the recorded example of each in curl, TypeScript and Python. They run as they are, with the
 * address, the key and the ids of the caller's resources in environment variables. A test runs all of them.
 */

import type { Endpoint } from '../../lib/http/endpoint.ts';
import { python } from './samples/python.ts';
import { queryText, requestOf, type SampleRequest, type Sent, variableOf } from './samples/request.ts';
import { typescript } from './samples/typescript.ts';

type CodeSample = { lang: string; label: string; source: string };

const languages: readonly (readonly [string, string, (request: SampleRequest) => string])[] = [
  ['shell', 'curl', curl],
  ['typescript', 'TypeScript', typescript],
  ['python', 'Python', python],
];

/**
 * @param sent undefined for an endpoint without an example
 * @returns the operation's extension, as documentation tools read it
 */
export function codeSamples(
  endpoint: Endpoint,
  sent: Sent | undefined,
): { 'x-codeSamples'?: readonly CodeSample[] } {
  if (!sent) return {};
  const request = requestOf(endpoint, sent);
  return {
    'x-codeSamples': languages.map(([lang, label, write]) => ({
      lang,
      label,
      source: write(request).trimEnd(),
    })),
  };
}

function curl(request: SampleRequest): string {
  const { method, path, query, body, hasCredential, isIdempotent } = request;
  const segments = path.map((part) =>
    'variable' in part ? `/$${part.variable}` : `/${encodeURIComponent(part.text)}`,
  );
  const usual = body === undefined ? 'GET' : 'POST';
  const lines = [
    `curl -sS --fail-with-body${method === usual ? '' : ` -X ${method}`} ` +
      `"$PLATFORM_BASE_URL${segments.join('')}${queryText(query)}"`,
    ...(hasCredential ? ['-H "Authorization: Bearer $PLATFORM_API_KEY"'] : []),
    ...(isIdempotent ? ['-H "Idempotency-Key: $(date +%s)-$RANDOM"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d @- ${here(body)}`]),
  ];
  return `${lines.join(' \\\n  ')}\n`;
}

/** The body as a here document, so that it needs no quotes. In a here document with variables, the shell reads \ $ and `. */
function here(body: object): string {
  const text = JSON.stringify(body, null, 2);
  const names = [...text.matchAll(/"([^"]+)"/g)].flatMap(([, value = '']) => variableOf(value) ?? []);
  if (names.length === 0) return `<<'END'\n${text}\nEND`;
  const escaped = text.replace(/[\\$`]/g, '\\$&');
  const filled = escaped.replace(/"([^"]+)"/g, (quoted, value: string) => {
    const variable = variableOf(value);
    return variable ? `"$${variable}"` : quoted;
  });
  return `<<END\n${filled}\nEND`;
}
