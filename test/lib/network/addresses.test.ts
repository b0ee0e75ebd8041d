import { describe, expect, test } from 'vitest';
import { acceptedUrl, isAllowedAddress, isPublicAddress, refuseUrl } from '../../../lib/network/addresses.ts';
import { refuseHttpsUrl, unreachable } from '../../../lib/network/url-form.ts';
import { hostileAddresses, hostileHosts } from '../../support/hostile-addresses.ts';

const production = { allowLoopback: false };
const development = { allowLoopback: true };

describe('an address', () => {
  test.each(hostileAddresses)('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    ...[
      '1.1.1.1',
      '8.8.8.8',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
    ],
    ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255'],
    ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '2606:4700:4700::1111', '2a00::1'],
    ...['2001:4860:4860::8888', '2003::1', '2001:200::1'],
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each(['', 'example.com', '127.1', '0x7f.1', '1.1.1.1.', '1.1.1.1 ', '[::1]', '1.1.1.256'])(
    'what is no address is not public: "%s"',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );

  test('http goes to loopback only, and only in development', () => {
    const url = new URL('http://localhost:8080/hook');
    const allowed = (address: string, rules: { allowLoopback: boolean }) =>
      isAllowedAddress(address, url, rules);
    expect([allowed('127.0.0.1', development), allowed('::1', development)]).toEqual([true, true]);
    expect([allowed('127.0.0.1', production), allowed('::1', production)]).toEqual([false, false]);
    expect([allowed('8.8.8.8', development), allowed('10.0.0.1', development)]).toEqual([false, false]);
  });

  test('https goes to public addresses only, also in development', () => {
    const url = new URL('https://example.com/');
    expect(isAllowedAddress('8.8.8.8', url, production)).toBe(true);
    expect(isAllowedAddress('127.0.0.1', url, development)).toBe(false);
  });
});

describe('a URL', () => {
  test.each(hostileHosts)('https://%s is refused', (host) => {
    for (const rules of [production, development]) {
      expect(refuseUrl(`https://${host}/hook`, rules)).toBeDefined();
      expect(refuseUrl(`https://${host}:8443/hook`, rules)).toBeDefined();
    }
  });

  test.each([
    ['http://example.com/', 'must start with https://'],
    ['http://127.0.0.1/', 'must start with https://'],
    ['ftp://example.com/', 'must start with https://'],
    ['file:///etc/passwd', 'must start with https://'],
    ['https://user@example.com/', 'must not contain a user name or a password'],
    ['https://:secret@example.com/', 'must not contain a user name or a password'],
    ['https://8.8.8.8@127.0.0.1/', 'must not contain a user name or a password'],
    ['https://example.com/#part', 'must not have a fragment'],
    ['https://example.com/#', 'must not have a fragment'],
    ['https://example.com:22/', 'must have the port 443, or a port above 1023'],
    ['https://example.com:0/', 'must have the port 443, or a port above 1023'],
    ['https://example.com:80/', 'must have the port 443, or a port above 1023'],
    ['https://example.com:99999/', 'must be a URL'],
    ['https://exa mple.com/', 'must be a URL'],
    ['https://example.com\\@127.0.0.1/', 'must be a URL'],
    ['https://example.com/\n', 'must be a URL'],
    ['https://', 'must be a URL'],
    ['//example.com/', 'must be a URL'],
    ['', 'must be a URL'],
    ['https://a%00b.example/', 'must be a URL'],
    ['https://%00/', 'must be a URL'],
    ['https://a%c2%80b.example/', 'must be a URL'],
    ['\u0000https://example.com/', 'must be a URL'],
    ['https://example.com/\u0001', 'must be a URL'],
    ['https://example.com/\ud800', 'must be a URL'],
    ['https://@example.com/', 'must not contain a user name or a password'],
    ['https://:@example.com/', 'must not contain a user name or a password'],
    ['https:user@example.com/', 'must not contain a user name or a password'],
    ['https://a..b.example', 'must not have a host with an empty label'],
    ['https://.a.example', 'must not have a host with an empty label'],
    [`https://${'a'.repeat(64)}.example`, 'must not have a host with a label of more than 63 characters'],
    // 59 letters, and 64 characters in ASCII.
    [`https://${'a'.repeat(56)}éé.example`, 'must not have a host with a label of more than 63 characters'],
    [`https://${'a.'.repeat(124)}example`, 'must not have a host with more than 253 characters'],
    ['https://*.example.com/', 'must have a host of letters, digits, ., - and _'],
    ['httpS://*lì«.example', 'must have a host of letters, digits, ., - and _'],
    ['https://exa$mple.com/', 'must have a host of letters, digits, ., - and _'],
  ])('%s is refused: %s', (url, problem) => {
    expect(refuseUrl(url, production)).toBe(problem);
  });

  test.each([
    'https://example.com',
    'https://example.com/hooks?tenant=1',
    'https://example.com:443/',
    'https://hooks.example.co.uk:8443/a/b',
    'https://münchen.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
  ])('%s is accepted', (url) => {
    expect(refuseUrl(url, production)).toBeUndefined();
  });

  test.each([
    ['https:example.com', 'https://example.com/'],
    ['https:/example.com/a', 'https://example.com/a'],
    ['HTTPS://Example.COM:443', 'https://example.com/'],
    ['https://example.com/a/../b?c=ü', 'https://example.com/b?c=%C3%BC'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://ex%61mple.com/%61', 'https://example.com/%61'],
    ['https://a_b.example.com', 'https://a_b.example.com/'],
    [`https://${'a'.repeat(63)}.example`, `https://${'a'.repeat(63)}.example/`],
  ])('%s is normalised', (url, normal) => {
    expect(acceptedUrl(url, production)).toBe(normal);
    expect(acceptedUrl(normal, production)).toBe(normal);
  });

  test('a URL that gets too long in its normal form is refused', () => {
    const long = `https://example.com/${'ü'.repeat(400)}`;
    expect(() => acceptedUrl(long, production)).toThrow('validation_error');
    expect(acceptedUrl(`https://example.com/${'ü'.repeat(300)}`, production)).toHaveLength(20 + 6 * 300);
  });

  test.each([
    ['https://example.com:80/a.png#part', undefined],
    ['HTTPS://Example.com', undefined],
    ['https://10.0.0.1/a.png', undefined],
    ['https:example.com', 'must start with https://'],
    ['https:///example.com', 'must start with https://'],
    ['http://example.com/', 'must start with https://'],
    ['https://a:b@example.com/', 'must not contain a user name or a password'],
    ['https://example.com\\a', 'must be a URL'],
    ['https://a..b.example', 'must not have a host with an empty label'],
    ['httpS://*lì«', 'must have a host of letters, digits, ., - and _'],
  ])('%s, which is stored as it is: %s', (url, problem) => {
    expect(refuseHttpsUrl(url)).toBe(problem);
  });

  test('no request can reach a host that no name server can be asked for', () => {
    for (const host of [
      'a..b.example',
      'a.example.',
      `${'a'.repeat(64)}.example`,
      `${'a.'.repeat(124)}example`,
    ])
      expect(unreachable(`https://${host}/`)).toMatchObject({ code: 'invalid_url' });
    for (const host of ['example.com', '*.example.com', '[2606:4700:4700::1111]', '8.8.8.8', 'a'.repeat(63)])
      expect(unreachable(`https://${host}/`)).toBeUndefined();
  });

  test('the longest text takes little time', () => {
    for (const text of [
      `https://${'a.'.repeat(1000)}`,
      `${'https:'.repeat(341)}`,
      `https:${'/'.repeat(2040)}`,
    ])
      expect(refuseUrl(text, production)).toBeDefined();
  });

  test.each(['http://localhost:8080/hook', 'http://127.0.0.1/', 'http://[::1]:80/', 'http://127.0.0.2:1/'])(
    '%s is accepted in development only',
    (url) => {
      expect(refuseUrl(url, development)).toBeUndefined();
      expect(refuseUrl(url, production)).toBe('must start with https://');
    },
  );

  test.each(['http://10.0.0.1/', 'http://example.com/', 'http://a.localhost/', 'http://[::ffff:127.0.0.1]/'])(
    '%s is refused in development too',
    (url) => {
      expect(refuseUrl(url, development)).toBe('must start with https://');
    },
  );
});
