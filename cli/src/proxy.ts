/** Turns on Node's support for the proxy of the environment. */

import { proxyVariable } from '../../clients/typescript/src/node.ts';

/**
 * Sends the TLS requests of this process through the proxy in HTTPS_PROXY, except to the hosts in NO_PROXY. An older version of
 * Node cannot do that, or not with this proxy: then the client refuses requests that would go around the proxy.
 */
export async function useProxy(): Promise<void> {
  const proxy = proxyAddress(proxyVariable('HTTPS_PROXY'))?.href;
  if (proxy === undefined) return;
  // Requests without TLS only go to this machine. A proxy would read the key in them.
  for (const name of ['HTTP_PROXY', 'http_proxy']) delete process.env[name];
  const http = await import('node:http');
  if ('setGlobalProxyFromEnv' in http) {
    // Node has this function since version 24.14.
    http.setGlobalProxyFromEnv({ https_proxy: proxy, no_proxy: proxyVariable('NO_PROXY') });
  } else if (hasSupport(process.versions.node) && process.env.NODE_USE_ENV_PROXY !== '1') {
    // An older Node needs a new start. Windows has no `execve`: there, the error of the client names the variable.
    const words = ['--disable-warning=UNDICI-EHPA', ...process.execArgv, ...process.argv.slice(1)];
    const env = { ...process.env, https_proxy: proxy, NODE_USE_ENV_PROXY: '1' };
    process.execve?.(process.execPath, [process.execPath, ...words], env);
  }
}

/** Whether Node reads NODE_USE_ENV_PROXY: https://nodejs.org/api/cli.html#node_use_env_proxy1 */
function hasSupport(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

/** @returns the address of an HTTP proxy; undefined for any other text, such as socks5:// */
function proxyAddress(text = ''): URL | undefined {
  // The scheme may be missing, as for curl.
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return /^https?:/i.test(address) && URL.canParse(address) ? new URL(address) : undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Advice about the proxy of the environment. */
export type ProxyAdvice = {
  /** The advice if there is no response. */
  ifLost?: string;
  /** The advice if the client refuses to go around the proxy. */
  ifRefused?: string;
};

/** @returns advice without the password of the proxy */
export function proxyAdvice({ HTTPS_PROXY, https_proxy }: Variables): ProxyAdvice {
  const text = https_proxy || HTTPS_PROXY;
  if (!text) return {};
  const proxy = proxyAddress(text);
  if (!proxy) return { ifRefused: 'HTTPS_PROXY must be an address such as http://proxy.example.com:3128.' };
  return {
    ifLost: `Requests go through the proxy in HTTPS_PROXY (${proxy.origin}), except to the hosts in NO_PROXY. Check both variables.`,
  };
}
