/**
 * The form of URLs that callers send is checked in addition to the parser (https://url.spec.whatwg.org). The parser accepts
 * `https:example.com`, a host with an empty label, and a host that no name server can be asked for. Pure.
 */

export const maxUrlLength = 2048;

/** @returns why a text is not accepted as a URL, whatever its scheme and host are; undefined if it is */
export function refuseText(text: string): string | undefined {
  // The parser removes or replaces such characters.
  if (!URL.canParse(text) || /[\s\p{Cc}\\]/u.test(text) || !text.isWellFormed()) return 'must be a URL';
  // The parser removes an empty user name.
  const [authority = ''] = text.replace(/^[^:]*:\/*/, '').split(/[/?#]/, 1);
  return authority.includes('@') ? 'must not contain a user name or a password' : undefined;
}

const maxHostLength = 253;
const maxLabelLength = 63;

/**
 * A request cannot reach a host that no name server can be asked for (RFC 1035, section 2.3.4).
 * @param host the host of a parsed URL, so a name in other letters is in its ASCII form (`xn--…`)
 * @returns what the host must not have; undefined if it can be reached
 */
function unreachableHost(host: string): string | undefined {
  if (host.startsWith('[')) return undefined;
  if (host.length > maxHostLength) return `more than ${maxHostLength} characters`;
  const labels = host.split('.');
  // A dot at the end is refused, too, because certificates and cookies have no such names.
  if (labels.includes('')) return 'an empty label';
  return labels.some((label) => label.length > maxLabelLength)
    ? `a label of more than ${maxLabelLength} characters`
    : undefined;
}

/** @returns why the host of a parsed URL is refused, or undefined if it is not */
export function refuseHost({ hostname }: URL): string | undefined {
  const fault = unreachableHost(hostname);
  if (fault !== undefined) return `must not have a host with ${fault}`;
  // Other characters are possible in DNS, but no certificate has them. `*` would be a certificate's wildcard.
  return hostname.startsWith('[') || /^[a-z0-9._-]+$/.test(hostname)
    ? undefined
    : 'must have a host of letters, digits, ., - and _';
}

/** @returns why a URL that is stored as it was sent is refused, or undefined if it is not */
export function refuseHttpsUrl(text: string): string | undefined {
  const fault = refuseText(text);
  if (fault !== undefined) return fault;
  // Not every parser finds a host in `https:example.com`.
  return /^https:\/\/[^/?#]/i.test(text) ? refuseHost(new URL(text)) : 'must start with https://';
}

/** @returns why no request can reach a stored URL, which the parser accepts; undefined if a request may */
export function unreachable(url: string): { code: 'invalid_url'; message: string } | undefined {
  const fault = unreachableHost(new URL(url).hostname);
  return fault === undefined
    ? undefined
    : { code: 'invalid_url', message: `The host of the URL has ${fault}.` };
}
