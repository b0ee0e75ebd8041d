/** What functions get that serve downloads. Every function imports this file, so it has almost no code. */

import type { FileRelease, Kept } from './releases.ts';

/** What keeps files: a bucket on AWS, a folder on this machine. */
export type DownloadStore = {
  /** @returns undefined if there is no file */
  read(name: string): Promise<{ bytes: Uint8Array; version: string } | undefined>;
  /**
   * @param ifVersion of the file that is replaced; undefined for a file that must not exist
   * @returns whether it was written: false if the file is another one
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
   * @returns the kept releases: first the current one
   * @throws ApiError service_unavailable if they cannot be stored
   */
  list(): Promise<Kept>;
  /**
   * @returns undefined if no kept release has this file
   * @throws ApiError service_unavailable if the files of the current release cannot be stored
   */
  read(name: string): Promise<Uint8Array | undefined>;
};

/** The name of the bucket, in the environment of a function that serves downloads. */
export const downloadsVariable = 'DOWNLOADS_BUCKET';

const none = async (): Promise<never> => {
  throw new Error('the function does not declare that it serves downloads');
};

export const noDownloads: Downloads = { current: none, list: none, read: none };
