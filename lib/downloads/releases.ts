/** A deployment keeps the files of these releases. Lock files name files by their hash, so a file never changes. */

export const downloadKinds = ['cli', 'typescript', 'python'] as const;

export type DownloadKind = (typeof downloadKinds)[number];

export type DownloadFile = {
  /** The name contains the version and the commit. */
  file: string;
  kind: DownloadKind;
  version: string;
  bytes: number;
  /** The hash is in hexadecimal. */
  sha256: string;
};

/** The files that are built from one commit. */
export type FileRelease = { version: string; files: readonly DownloadFile[] };

/** The kept releases, the newest first. */
export type Kept = { releases: readonly FileRelease[] };

export const maxReleases = 10;

/** The name of a file in an address. */
export const fileNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** These names lead to the current file of a kind. They are for `npm install --global` only, because their file changes. */
export const unversionedName: Readonly<Record<DownloadKind, string>> = {
  cli: 'platform-api-cli.tgz',
  typescript: 'platform-api-client.tgz',
  python: 'platform_api.whl',
};

/**
 * @param current the release of this process. It moves to the front, so a rollback keeps it
 * @returns the releases to keep, and the names of the files to remove
 */
export function withRelease(kept: Kept, current: FileRelease): { kept: Kept; dropped: string[] } {
  const otherReleases = kept.releases.filter(({ version }) => version !== current.version);
  const releases = [current, ...otherReleases].slice(0, maxReleases);
  const names = new Set(releases.flatMap(namesOf));
  return { kept: { releases }, dropped: kept.releases.flatMap(namesOf).filter((name) => !names.has(name)) };
}

export const isFirst = ({ releases }: Kept, { version }: FileRelease): boolean =>
  releases[0]?.version === version;

const namesOf = ({ files }: FileRelease): string[] => files.map(({ file }) => file);

/**
 * @returns the command that installs a file. pip takes two builds of a version for the same, and keeps the one that it has, unless
 * it is forced (github.com/pypa/pip, `_internal/resolution/resolvelib/resolver.py`)
 */
export function installCommand({ kind }: Pick<DownloadFile, 'kind'>, url: string): string {
  if (kind === 'python') return `pip install --force-reinstall ${url}`;
  return kind === 'cli' ? `npm install --global ${url}` : `npm install ${url}`;
}
