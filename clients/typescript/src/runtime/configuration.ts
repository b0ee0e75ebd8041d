/**
 * The configuration of environments and deployments, for all sessions of a process. It is asked for at most every 30 seconds, with
 * its ETag. If the service is away, the last known configuration is used: from memory, or from a folder. While a rollout runs, that of
 * its candidate is known, too, so each unit gets its variant without a request.
 */

import { isRetryable } from '../core/backoff.ts';
import { PlatformError } from '../core/errors.ts';
import type { IfNoneMatchOptions } from '../core/options.ts';
import type { ApiPromise } from '../core/promise.ts';
import { elapsedMs } from '../core/timing.ts';
import type { EnvironmentConfig } from '../generated/types.ts';
import type { Platform } from '../platform.ts';
import { isDenied } from './errors.ts';
import type { Files } from './folder.ts';
import { assign } from './rollout.ts';

const leastIntervalMs = 30_000;
const maxAgeMs = 24 * 3_600_000;
/** In memory. A process has few environments, and its conversations few earlier deployments. */
const maxEntries = 32;

type Known = { config: EnvironmentConfig; etag: string | undefined; confirmedMs: number };

type Entry = {
  known: Known | undefined;
  /** Of the clock that nobody sets. */
  askedMs: number;
  asking: Promise<EnvironmentConfig> | undefined;
};

export type Source = {
  platform: Platform;
  project: string;
  files: Files | undefined;
  /** How long a call may take if there is a known configuration. */
  patienceMs: number;
  warn: (sentence: string) => void;
};

const entriesOf = new WeakMap<Platform, Map<string, Entry>>();

/**
 * @param unit undefined for the current deployment
 * @returns the configuration of the unit, and its assignment while a rollout runs
 * @throws ApiError, also 401 and 403: then nothing of the configuration is left; ConnectionError if nothing is known
 */
export async function unitConfig(
  source: Source,
  environment: string,
  unit: string | undefined,
): Promise<{ config: EnvironmentConfig; assignment?: string }> {
  const config = await environmentConfig(source, environment);
  const { rollout } = config;
  if (!rollout || unit === undefined) return { config };
  const { variant, assignment } = await assign(rollout, unit);
  if (variant === 'current') return { config, assignment };
  const { deploymentId } = rollout.candidate;
  const known = await knownCandidate(source, rollout);
  return { config: known?.config ?? (await deploymentConfig(source, deploymentId)), assignment };
}

const environmentConfig = (source: Source, name: string): Promise<EnvironmentConfig> =>
  read(source, `environment ${name}`, (options) =>
    source.platform.projects(source.project).environments.config(name, options),
  );

/**
 * @param limits if another configuration serves as well
 * @throws as `unitConfig`
 */
export const deploymentConfig = (
  source: Source,
  id: string,
  limits: Limits = {},
): Promise<EnvironmentConfig> =>
  read(source, `deployment ${id}`, (options) =>
    source.platform.projects(source.project).deployments.config(id, { ...limits, ...options }),
  );

type Limits = { timeoutMs?: number; deadlineMs?: number };
type Rollout = NonNullable<EnvironmentConfig['rollout']>;

/** @returns the configuration of the candidate, if it is the one whose hash the environment names */
async function knownCandidate(
  source: Source,
  { candidate: { deploymentId, configHash } }: Rollout,
): Promise<Known | undefined> {
  const what = `deployment ${deploymentId}`;
  const entry = entryFor(source, what);
  entry.known ??= await readKept(source, what);
  return entry.known?.config.configHash === configHash ? entry.known : undefined;
}

/**
 * The service has named the candidate: it is asked for, unless it is known. Without it, the users of the current deployment must not
 * wait, and the others ask again.
 */
async function prepareCandidate(source: Source, rollout: Rollout): Promise<void> {
  const { deploymentId } = rollout.candidate;
  const { patienceMs } = source;
  const known = await knownCandidate(source, rollout);
  if (!known)
    await deploymentConfig(source, deploymentId, { timeoutMs: patienceMs, deadlineMs: patienceMs }).catch(
      () => {},
    );
  else {
    known.confirmedMs = Date.now();
    await keepOrWarn(source, `deployment ${deploymentId}`, known);
  }
}

type Ask = (options: IfNoneMatchOptions) => ApiPromise<EnvironmentConfig | undefined>;

function read(source: Source, what: string, ask: Ask): Promise<EnvironmentConfig> {
  const entry = entryFor(source, what);
  if (entry.asking) return entry.asking;
  if (entry.known && elapsedMs() - entry.askedMs < leastIntervalMs)
    return Promise.resolve(entry.known.config);
  entry.asking = refresh(source, what, ask, entry).finally(() => {
    entry.asking = undefined;
  });
  return entry.asking;
}

async function refresh(source: Source, what: string, ask: Ask, entry: Entry): Promise<EnvironmentConfig> {
  const known = entry.known ?? (await readKept(source, what));
  entry.askedMs = elapsedMs();
  try {
    const { patienceMs } = source;
    const limits = known ? { timeoutMs: patienceMs, deadlineMs: patienceMs } : {};
    const { data, response } = await ask({ ifNoneMatch: known?.etag, ...limits }).withResponse();
    const config = data ?? known?.config;
    if (!config) throw new PlatformError('The service says that nothing has changed, and nothing is known.');
    const etag = response.headers.get('etag') ?? undefined;
    entry.known = { config, etag, confirmedMs: Date.now() };
    if (isOfEnvironment(what)) {
      // A session that continues with this deployment need not ask again.
      const ofDeployment = entryFor(source, `deployment ${config.deploymentId}`);
      ofDeployment.known = knownOfDeployment(entry.known);
      ofDeployment.askedMs = entry.askedMs;
    }
    await keepOrWarn(source, what, entry.known);
    if (config.rollout) await prepareCandidate(source, config.rollout);
    return config;
  } catch (error) {
    if (isDenied(error)) await forget(source);
    const isAway = error instanceof PlatformError && isRetryable(error);
    if (!isAway || !known || !isFresh(known.confirmedMs)) throw error;
    entry.known = known;
    return known.config;
  }
}

const isOfEnvironment = (what: string) => what.startsWith('environment');

/** The entity tag of a deployment's configuration is its hash. */
const knownOfDeployment = ({ config, confirmedMs }: Known): Known => ({
  config: { ...config, rollout: null },
  etag: `"${config.configHash}"`,
  confirmedMs,
});

function entryFor({ platform, project }: Source, what: string): Entry {
  const entries = entriesOf.get(platform) ?? new Map<string, Entry>();
  entriesOf.set(platform, entries);
  const key = `${project} ${what}`;
  const entry = entries.get(key) ?? { known: undefined, askedMs: 0, asking: undefined };
  // The latest is last.
  entries.delete(key);
  entries.set(key, entry);
  const [oldest] = entries.keys();
  if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
  return entry;
}

/** A time in the future is that of a wrong clock, so it says nothing. */
const isFresh = (ms: number) => Date.now() - ms <= maxAgeMs && ms - Date.now() < 60_000;

/** @returns the start of the names of all files of a project */
const prefixOf = (files: Files, { platform, project }: Source) =>
  `config-${files.hash(platform.baseUrl, project).slice(0, 16)}-`;

const nameOf = (files: Files, source: Source, what: string) =>
  `${prefixOf(files, source)}${files.hash(what).slice(0, 16)}.json`;

const keepOrWarn = (source: Source, what: string, known: Known): Promise<void> =>
  keep(source, what, known).catch((error: Error) =>
    source.warn(`The configuration cannot be kept in the folder: ${error.message}`),
  );

/**
 * A file has the configuration of a deployment. The file of an environment names the deployment, and has the rollout. The time of the last
 * change is when the service has last confirmed it.
 */
async function keep(source: Source, what: string, known: Known): Promise<void> {
  const { files } = source;
  if (!files) return;
  const { etag, config } = isOfEnvironment(what) ? knownOfDeployment(known) : known;
  const content = JSON.stringify({ etag, config });
  const ofDeployment = nameOf(files, source, `deployment ${config.deploymentId}`);
  if ((await files.read(ofDeployment)) === content) await files.touch(ofDeployment);
  else {
    await files.write(ofDeployment, content);
    await removeOld(files, prefixOf(files, source));
  }
  if (!isOfEnvironment(what)) return;
  const ofEnvironment = nameOf(files, source, what);
  const { deploymentId, rollout } = known.config;
  const pointer = JSON.stringify({ deploymentId, etag: known.etag, rollout });
  if ((await files.read(ofEnvironment)) === pointer) await files.touch(ofEnvironment);
  else await files.write(ofEnvironment, pointer);
}

/** @returns undefined if there is none, or if it is too old, or damaged */
async function readKept(source: Source, what: string): Promise<Known | undefined> {
  const { files } = source;
  if (!files) return undefined;
  try {
    const confirmedMs = await files.changedMs(nameOf(files, source, what));
    if (confirmedMs === undefined || !isFresh(confirmedMs)) return undefined;
    const found = JSON.parse((await files.read(nameOf(files, source, what))) ?? '') as
      | { deploymentId: string; etag?: string; rollout?: Rollout | null }
      | { etag?: string; config: EnvironmentConfig };
    if ('config' in found) return { ...found, etag: found.etag, confirmedMs };
    const ofDeployment = await readKept(source, `deployment ${found.deploymentId}`);
    if (!ofDeployment) return undefined;
    // A folder of an earlier version of the client has neither.
    const { etag = ofDeployment.etag, rollout = null } = found;
    return { config: { ...ofDeployment.config, rollout }, etag, confirmedMs };
  } catch {
    return undefined;
  }
}

/** The key may not read the configuration any more, so it is removed from the memory and from the folder. */
export async function forget(source: Source): Promise<void> {
  const { platform, project, files } = source;
  const entries = entriesOf.get(platform);
  for (const key of [...(entries?.keys() ?? [])]) if (key.startsWith(`${project} `)) entries?.delete(key);
  if (!files) return;
  const prefix = prefixOf(files, source);
  for (const name of await files.names()) if (name.startsWith(prefix)) await files.remove(name);
}

async function removeOld(files: Files, prefix: string): Promise<void> {
  for (const name of await files.names()) {
    if (!name.startsWith(prefix)) continue;
    const ms = await files.changedMs(name);
    if (ms !== undefined && !isFresh(ms)) await files.remove(name);
  }
}
