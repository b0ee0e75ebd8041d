/** The address that the client calls, and the key with which it calls. */

import type { PlatformOptions } from './options.ts';

/** @returns an environment variable; undefined where there are none, or where they may not be read (Deno) */
export function variable(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

/** @returns the origin of a page, or of a worker of a page. Servers have no location */
function pageOrigin(): string | undefined {
  const scope = globalThis as typeof globalThis & { location?: { origin: string } };
  const isPage = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
  return isPage ? scope.location?.origin : undefined;
}

/** Whether a host is this machine. Names that end in .localhost are not included: not every system resolves them to itself. */
const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);

/** @returns the base URL without a slash at its end */
export function baseUrlFrom(option: string | undefined): string {
  const origin = pageOrigin();
  const text = option ?? variable('PLATFORM_BASE_URL') ?? (origin && '/api/v1');
  if (!text) throw new TypeError('Set baseUrl or PLATFORM_BASE_URL, such as https://api.example.com/api/v1.');
  if (!URL.canParse(text, origin)) throw new TypeError(`baseUrl must be a URL with https://: ${text}`);
  const {
    protocol,
    hostname,
    username,
    password,
    search,
    hash,
    href,
    origin: target,
  } = new URL(text, origin);
  if (username || password || search || hash)
    throw new TypeError('baseUrl must not have a user, a password, a query or a fragment.');
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    throw new TypeError(
      `The key is not sent to ${text}, because others could read it on the way: baseUrl must begin with https://. Only this ` +
        'machine (localhost, 127.0.0.1, [::1]) may have http://.',
    );
  if (origin !== undefined && target !== origin)
    throw new TypeError(
      `This page (${origin}) must not call ${target}: secret keys do not belong in pages of other origins. Call the API ` +
        'from your server.',
    );
  return href.replace(/\/+$/, '');
}

/**
 * A key of the environment goes only to the address of the environment. Otherwise somebody who can choose another address would
 * get the key.
 * @param baseUrl as `baseUrlFrom` returns it
 * @returns a function that returns the key. The key is in a closure, where nothing prints it
 */
export function apiKeyFrom(option: PlatformOptions['apiKey'], baseUrl: string): () => Promise<string> {
  const source = option ?? variable('PLATFORM_API_KEY');
  if (!source) throw new TypeError('Set apiKey or PLATFORM_API_KEY.');
  if (option === undefined && !isFromEnvironment(baseUrl))
    throw new TypeError(
      `PLATFORM_API_KEY is not sent to ${baseUrl}, because PLATFORM_BASE_URL does not name this address. Set both variables, ` +
        'or pass apiKey together with baseUrl.',
    );
  if (typeof source === 'string') checkKey(source);
  return async () => {
    const key = typeof source === 'string' ? source : await source();
    checkKey(key);
    return key;
  };
}

function isFromEnvironment(baseUrl: string): boolean {
  const address = variable('PLATFORM_BASE_URL');
  return address !== undefined && URL.canParse(address) && baseUrlFrom(address) === baseUrl;
}

/** `fetch` would show an invalid header in its error. */
function checkKey(key: string): void {
  if (typeof key !== 'string' || !/^[!-~]+$/.test(key))
    throw new TypeError('apiKey must have only visible ASCII characters, without spaces or line ends.');
}
