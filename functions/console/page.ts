import * as z from 'zod';
import { defineEndpoint } from '../../lib/http/endpoint.ts';
import { consoleFolder } from '../../lib/http/page-folders.ts';
import type { SignIn } from '../../lib/http/sign-in.ts';
import { contentSecurityPolicy, pageHeaders, pageTag, readPage, WebPage } from '../../lib/http/web-page.ts';

/** The page sends requests to the API that it came from, to the issuer that the stage names for it, and files to the bucket. */
const policyFor = (signIn: SignIn | undefined, uploadOrigin: string | undefined) =>
  contentSecurityPolicy({
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': [
      "'self'",
      ...(signIn ? [new URL(signIn.issuer).origin] : []),
      ...(uploadOrigin ? [uploadOrigin] : []),
    ].join(' '),
  });

/** The attribute in which the page gets its settings. A script cannot have them, because the policy refuses scripts in the page. */
const placeholder = 'data-sign-in=""';

const attribute = (signIn: SignIn | undefined) =>
  `data-sign-in="${JSON.stringify(signIn ?? null).replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)}"`;

/**
 * The parameters that an issuer adds to the redirect URI: RFC 6749 section 4.1.2, RFC 9207, OpenID Connect Session Management,
 * Google.
 */
const answers = [
  ...['code', 'state', 'iss', 'error', 'error_description', 'error_uri'],
  ...['session_state', 'scope', 'authuser', 'hd', 'prompt'],
];
const answer = z.string().max(4096).optional().meta({
  description:
    'A part of the answer to a sign-in with OIDC. Only the page reads it, and removes it from the address.',
});

export default defineEndpoint({
  id: 'console.page',
  method: 'GET',
  path: '/console',
  summary: 'Get the console',
  description: 'Returns the console as an HTML page. It shows what the credential of its user may read.',
  auth: 'public',
  ifNoneMatch: true,
  request: { query: z.strictObject(Object.fromEntries(answers.map((name) => [name, answer]))) },
  responses: { 200: WebPage, 304: WebPage },
  headers: pageHeaders,
  raw: 'text',

  async handle({ isKnown, signIn, uploadOrigin }) {
    const text = (await readPage(consoleFolder)).replace(placeholder, () => attribute(signIn));
    const data = { text, policy: policyFor(signIn, uploadOrigin) };
    return { status: isKnown(pageTag(data)) ? 304 : 200, data };
  },
});
