/** A code sample for bash, zsh and sh, with curl. */

import { queryText, type SampleRequest, variableOf } from './request.ts';

export function curl(request: SampleRequest): string {
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
