/** Where the client calls, and as whom. */

import type { PlatformOptions } from './options.ts';

/** @returns an environment variable; undefined where there are none, or where they may not be read (Deno) */
function variable(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

/** A page, or a worker of a page. Servers have no location. */
function pageOrigin(): string | undefined {
  const scope = globalThis as typeof globalThis & { location?: { origin: string } };
  const isPage = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
  return isPage ? scope.location?.origin : undefined;
}

/** @returns the base URL without a slash at its end */
export function baseUrlFrom(option: string | undefined): string {
  const origin = pageOrigin();
  const text = option ?? variable('PLATFORM_BASE_URL') ?? (origin && '/api/v1');
  if (!text) throw new TypeError('Set baseUrl or PLATFORM_BASE_URL, such as https://api.example.com/api/v1.');
  if (!URL.canParse(text, origin))
    throw new TypeError(`baseUrl must be a URL with https:// or http://: ${text}`);
  const { protocol, username, password, search, hash, href, origin: target } = new URL(text, origin);
  if (username || password || search || hash)
    throw new TypeError('baseUrl must not have a user, a password, a query or a fragment.');
  if (!/^https?:$/.test(protocol)) throw new TypeError('baseUrl must begin with https:// or http://.');
  if (origin !== undefined && target !== origin)
    throw new TypeError(
      `This page (${origin}) must not call ${target}: secret keys do not belong in pages of other origins. Call the API ` +
        'from your server.',
    );
  return href.replace(/\/+$/, '');
}

/** @returns what yields the key. It is in a closure, where nothing prints it. */
export function apiKeyFrom(option: PlatformOptions['apiKey']): () => Promise<string> {
  const source = option ?? variable('PLATFORM_API_KEY');
  if (!source) throw new TypeError('Set apiKey or PLATFORM_API_KEY.');
  if (typeof source === 'string') checkKey(source);
  return async () => {
    const key = typeof source === 'string' ? source : await source();
    checkKey(key);
    return key;
  };
}

/** `fetch` would show an invalid header in its error. */
function checkKey(key: string): void {
  if (typeof key !== 'string' || !/^[!-~]+$/.test(key))
    throw new TypeError('apiKey must have only visible ASCII characters, without spaces or line ends.');
}
