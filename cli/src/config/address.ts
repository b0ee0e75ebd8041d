/** The addresses that may get a key. */

import { usageError } from '../errors.ts';

/**
 * @returns the address without a slash at its end
 * @throws CliError unless it is https, or this machine
 */
export function safeBaseUrl(text: string): string {
  if (!URL.canParse(text))
    throw usageError(`This is not an address: ${text}`, 'Example: https://api.example.com/api/v1');
  const { protocol, hostname, username, password, search, hash, href } = new URL(text);
  if (username || password || search || hash)
    throw usageError('The base URL must not have a user, a password, a query or a fragment.');
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    throw usageError(
      `The key is not sent to ${text}, because others could read it on the way.`,
      'Use an address with https://. Only this machine (localhost, 127.0.0.1) may have http://.',
    );
  return href.replace(/\/+$/, '');
}

/** Names that end in .localhost are not included: not every system resolves them to itself. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
