/** Functions that serve downloads get these. Every function imports this file, so it has almost no code. */

import type { FileRelease, Kept } from './releases.ts';

/** A store keeps files: in a bucket on AWS, in a folder on this machine. */
export type DownloadStore = {
  /** @returns undefined if there is no file */
  read(name: string): Promise<{ bytes: Uint8Array; version: string } | undefined>;
  /**
   * @param ifVersion the version of the file that is replaced; undefined for a file that must not exist
   * @returns whether it was written: false if the file has another version
   */
  write(name: string, bytes: Uint8Array, ifVersion: string | undefined): Promise<boolean>;
  remove(name: string): Promise<void>;
};

/** The files of the release that this process is a part of. */
export type CurrentRelease = {
  release(): Promise<FileRelease>;
  read(name: string): Promise<Uint8Array>;
};

export type Downloads = {
  /**
   * @returns the release of this process
   * @throws ApiError service_unavailable if its files cannot be stored
   */
  current(): Promise<FileRelease>;
  /**
   * @returns the kept releases, the current release first
   * @throws ApiError service_unavailable if they cannot be stored
   */
  list(): Promise<Kept>;
  /**
   * @returns undefined if no kept release has this file
   * @throws ApiError service_unavailable if the files of the current release cannot be stored
   */
  read(name: string): Promise<Uint8Array | undefined>;
};

/** The variable with the name of the bucket, for a function that serves downloads. */
export const downloadsVariable = 'DOWNLOADS_BUCKET';

const undeclared = async (): Promise<never> => {
  throw new Error('the function does not declare that it serves downloads');
};

export const noDownloads: Downloads = { current: undeclared, list: undeclared, read: undeclared };
