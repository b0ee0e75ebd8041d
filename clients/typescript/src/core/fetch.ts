/**
 * The `fetch` of the runtime. In Node, it goes around the proxy of the environment, unless the process has turned on Node's support
 * for proxies. Such a request is refused. Other runtimes always use the proxy.
 */

import { ProxyError } from './errors.ts';
import { variable } from './settings.ts';

/** @throws ProxyError if the request would go around the proxy */
export async function ownFetch(url: string | URL, init: RequestInit): Promise<Response> {
  const { protocol, hostname, port } = new URL(url);
  // Without TLS, requests only go to this machine.
  const isProxied =
    protocol === 'https:' && proxyVariable('HTTPS_PROXY') && !isExempt(hostname, port || '443');
  if (isProxied && isNode() && !usesDispatcher())
    throw new ProxyError(
      'HTTPS_PROXY is set, but this process does not use it. Start it with NODE_USE_ENV_PROXY=1 (Node 22.21, 24.5 or later), or ' +
        `add ${hostname} to NO_PROXY.`,
    );
  // `fetch` is looked up at each call, so that tests can replace it.
  return globalThis.fetch(url, init);
}

/** Reads a variable about the proxy. As in Node, the name in lower case comes first. */
export const proxyVariable = (name: string): string | undefined =>
  variable(name.toLowerCase()) ?? variable(name);

/**
 * Whether NO_PROXY names the host. An entry names a host and everything below it, or `*` for all hosts, with or without a port.
 */
const isExempt = (host: string, port: string): boolean =>
  (proxyVariable('NO_PROXY') ?? '').split(/[\s,]+/).some((entry) => {
    const [name, ofPort = port] = entry
      .toLowerCase()
      .replace(/^\*?\./, '')
      .split(':');
    return name && (name === '*' || `.${host}`.endsWith(`.${name}`)) && ofPort === port;
  });

/** Other runtimes have `process.versions.node`, too, and `navigator`, which Node 20 does not have. */
const isNode = () =>
  globalThis.process?.versions?.node && /^Node/.test(globalThis.navigator?.userAgent ?? 'Node');

/** Whether Node's support for proxies or a library sends the requests of `fetch`. Node's default dispatchers have these names. */
const usesDispatcher = () =>
  [1, 2].some((version) => {
    const key = Symbol.for(`undici.globalDispatcher.${version}`);
    const dispatcher = (globalThis as Record<symbol, object | undefined>)[key];
    return dispatcher && !/^(Agent|Dispatcher1Wrapper)$/.test(dispatcher.constructor.name);
  });
