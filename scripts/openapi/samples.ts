/**
 * Code samples for the operations: the recorded example of each in curl, TypeScript and Python. They run as they are, with the
 * address, the key and the ids of the caller's resources in environment variables. A test runs all of them.
 */

import type { Endpoint } from '../../lib/http/endpoint.ts';
import { curl } from './samples/curl.ts';
import { python } from './samples/python.ts';
import { requestOf, type SampleRequest, type Sent } from './samples/request.ts';
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
