/** The version and the commit of the service, and the versions and the User-Agents of its clients. */

/** The variable in which every function of an endpoint has the version of the service. The clients have the same version. */
export const versionVariable = 'VERSION';
/** The version that a function shows if its environment names none. */
export const unknownVersion = 'unknown';

/** The commit is an environment variable, not a constant of the bundle, so that unchanged bundles are not uploaded again. */
export const commitVariable = 'COMMIT';
export const unknownCommit = 'unknown';

/** Older clients are told the version of the service, from which newer clients can be installed. */
export const latestHeader = 'Platform-Client-Latest';

/** The User-Agent of the clients and of the command line starts with one of these names. */
const clients = /^platform-api-(?:client|cli|python)\/(\S{1,40})/;

/**
 * @param version of the service
 * @returns the version, if the user agent is a client with an older version
 */
export function newerVersion(userAgent: string | undefined, version: string): string | undefined {
  const client = userAgent === undefined ? null : clients.exec(userAgent);
  if (!client) return undefined;
  const [used, current] = [client[1] ?? '', version].map(parseVersion);
  return used && current && isOlder(used, current) ? version : undefined;
}

type Version = readonly [major: number, minor: number, patch: number];

/** @returns undefined unless the text is three numbers, which may be followed by the name of a pre-release (semver.org) */
function parseVersion(text: string): Version | undefined {
  const match = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?![\d.])/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}

function isOlder(version: Version, other: Version): boolean {
  const index = version.findIndex((number, position) => number !== other[position]);
  return index !== -1 && (version[index] ?? 0) < (other[index] ?? 0);
}

/** The start of the User-Agent of requests that `POST /mcp` and `platform mcp` send to the API. The version follows. */
export const mcpAgent = 'platform-mcp/';
