/** The addresses from which a key may be used are CIDR blocks of IPv4 and IPv6 (RFC 4632, RFC 4291). */

import { BlockList, isIP, isIPv4 } from 'node:net';

const family = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');

function split(cidr: string): { address: string; prefix: number } {
  const [address = '', prefix = ''] = cidr.split('/');
  return { address, prefix: Number(prefix) };
}

/**
 * The bits behind the prefix of a block do not matter: 10.1.2.3/8 is 10.0.0.0/8.
 * @param cidrs null for everywhere
 * @param address undefined if it is not known; then only a key without a list is allowed
 */
export function isAllowedFrom(cidrs: readonly string[] | null, address: string | undefined): boolean {
  if (cidrs === null) return true;
  // A server with both kinds of address sees an IPv4 address in the form of IPv6 (RFC 4291 section 2.5.5.2).
  const source = address?.replace(/^::ffff:(?=[\d.]+$)/i, '') ?? '';
  if (isIP(source) === 0) return false;
  const block = new BlockList();
  // Each family has its own blocks: `::/0` does not contain IPv4.
  for (const { address: start, prefix } of cidrs.map(split)) {
    if (family(start) === family(source)) block.addSubnet(start, prefix, family(start));
  }
  return block.check(source, family(source));
}

/** A block of IPv4 addresses in the form of IPv6 is refused: the requests come from the IPv4 addresses. */
export function isCidr(text: string): boolean {
  if (!/^([\d.]+|[\da-f:]+)\/(0|[1-9]\d{0,2})$/i.test(text)) return false;
  const { address, prefix } = split(text);
  const maxPrefix = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return prefix <= maxPrefix && !isAllowedFrom(['::ffff:0:0/96'], address);
}

/** @returns the first of these blocks that no allowed block contains, `everywhere` for no list, or undefined */
export function widerThan(
  allowed: readonly string[] | null,
  blocks: readonly string[] | null,
): string | undefined {
  if (allowed === null) return undefined;
  if (blocks === null) return 'everywhere';
  const contains = (outer: string, inner: string) =>
    split(outer).prefix <= split(inner).prefix && isAllowedFrom([outer], split(inner).address);
  return blocks.find((inner) => !allowed.some((outer) => contains(outer, inner)));
}
