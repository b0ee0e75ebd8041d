/**
 * Requests to URLs of callers may go only to public addresses, so that nobody can use the service to reach a private network. A
 * URL is checked when it is set, and its addresses at each attempt, because a name can get other addresses at any time.
 *
 * The parser of URLs (https://url.spec.whatwg.org) turns decimal, octal, hexadecimal and short IPv4 addresses into the usual
 * form, so only that form is checked.
 */

import { BlockList, isIP, isIPv4 } from 'node:net';
import { invalidField } from '../base/errors.ts';
import { maxUrlLength, refuseHost, refuseText } from './url-form.ts';

/** In development, a receiver on the same machine needs no TLS. */
export type UrlRules = {
  allowLoopback: boolean;
  /** Hosts that the operator of the service has listed: they may have addresses of a private network. */
  privateHosts?: readonly string[];
};

/** IPv4 blocks that are not public (IANA IPv4 Special-Purpose Address Registry), multicast, and 240.0.0.0/4. */
const privateIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/**
 * The only public IPv6 addresses ("Global Unicast", IANA IPv6 Address Space). Everything else is refused: loopback, unique local,
 * link-local, site-local, multicast, NAT64, and IPv4 in the form of IPv6.
 */
const publicIpv6 = ['2000::', 3] as const;

/** These parts of it are not public, or contain an IPv4 address: Teredo, benchmarking, documentation, 6to4. */
const privateIpv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

/** These names are resolved only inside of a network (RFC 6761, RFC 6762, RFC 8375, and ICANN's `internal`). */
const privateSuffixes = ['localhost', 'local', 'internal', 'intranet', 'lan', 'corp', 'home', 'home.arpa'];

const firstUnprivilegedPort = 1024;

function blocksOf(family: 'ipv4' | 'ipv6', rows: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of rows) list.addSubnet(address, prefix, family);
  return list;
}

const refusedIpv4 = blocksOf('ipv4', privateIpv4);
const allowedIpv6 = blocksOf('ipv6', [publicIpv6]);
const refusedIpv6 = blocksOf('ipv6', privateIpv6);
const loopback = blocksOf('ipv4', [['127.0.0.0', 8]]);

/** The networks of organisations (RFC 1918, RFC 6598, RFC 4193). Loopback and the link, with its metadata of machines, are not among them. */
const organisationIpv4 = blocksOf('ipv4', [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
]);
const organisationIpv6 = blocksOf('ipv6', [['fc00::', 7]]);

/** @returns whether it is a public address of IPv4 or IPv6 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refusedIpv4.check(address, 'ipv4');
  // An address with a zone (`fe80::1%eth0`) belongs to a link.
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return allowedIpv6.check(address, 'ipv6') && !refusedIpv6.check(address, 'ipv6');
}

const isLoopback = (address: string) =>
  isIPv4(address) ? loopback.check(address, 'ipv4') : address === '::1';

/** @returns whether a host of a URL is this machine, which only development may reach */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopback(host);

/** @returns whether a connection for this URL may go to the address */
export function isAllowedAddress(
  address: string,
  url: URL,
  { allowLoopback, privateHosts = [] }: UrlRules,
): boolean {
  if (url.protocol === 'http:') return allowLoopback && isLoopback(address);
  if (url.protocol !== 'https:') return false;
  return isPublicAddress(address) || (privateHosts.includes(hostOf(url)) && isOfOrganisation(address));
}

function isOfOrganisation(address: string): boolean {
  if (isIPv4(address)) return organisationIpv4.check(address, 'ipv4');
  return isIP(address) === 6 && !address.includes('%') && organisationIpv6.check(address, 'ipv6');
}

/** @returns the host of a URL; an IPv6 address without its brackets */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

function refuseName(name: string): string | undefined {
  const isPrivate = privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
  return isPrivate || !name.includes('.') || name.endsWith('.') ? 'must have a public host name' : undefined;
}

/** @returns why no request may go to the URL, or undefined if a request may. The addresses of its name are not checked here */
export function refuseTarget(url: URL, rules: UrlRules): string | undefined {
  const { protocol, port } = url;
  const host = hostOf(url);
  const { allowLoopback, privateHosts = [] } = rules;
  if (allowLoopback && protocol === 'http:' && isLoopbackHost(host)) return undefined;
  if (protocol !== 'https:') return 'must start with https://';
  if (port !== '' && Number(port) < firstUnprivilegedPort)
    return 'must have the port 443, or a port above 1023';
  if (isIP(host) === 0) return privateHosts.includes(host) ? undefined : refuseName(host);
  return isAllowedAddress(host, url, rules) ? undefined : 'must not be an address of a private network';
}

/** @returns why the URL of a caller is refused, or undefined if it is not */
export function refuseUrl(text: string, rules: UrlRules): string | undefined {
  const fault = refuseText(text);
  if (fault !== undefined) return fault;
  if (text.includes('#')) return 'must not have a fragment';
  const url = new URL(text);
  return refuseTarget(url, rules) ?? refuseHost(url);
}

/**
 * @returns the URL of a caller as it is stored and shown: as the parser writes it
 * @throws ApiError validation_error if it is refused
 */
export function acceptedUrl(text: string, rules: UrlRules): string {
  const reason = refuseUrl(text, rules);
  if (reason !== undefined) throw invalidField('url', reason);
  const { href } = new URL(text);
  if (href.length > maxUrlLength)
    throw invalidField('url', `must be at most ${maxUrlLength} characters in its normal form`);
  return href;
}
