/**
 * Files are for what is too large for a table. A key is a path; its first parts name the tenant and the project. On AWS they
 * are objects of the stage's bucket (lib/runtime/s3-files.ts), on this machine files of a folder (scripts/local/files.ts).
 */

/** A part of a file, and what is known of the whole file. */
export type FilePart = {
  bytes: Uint8Array;
  /** Of the whole file. */
  size: number;
  /** Another one when the file is written again. */
  version: string;
};

export type Files = {
  /**
   * Writes a whole file.
   * @param signal stops it. Then the file may have been written
   */
  put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** Removes a file. One that is already gone is no error. */
  remove(key: string): Promise<void>;
  /**
   * @param from the first byte, before the end of the file
   * @param length at most so many bytes: fewer at the end
   * @returns undefined if there is no file, or an empty one
   */
  read(key: string, from: number, length: number): Promise<FilePart | undefined>;
  /** @returns a URL that anyone can GET until it expires. It does not read the file, which may be gone */
  link(key: string, seconds: number): Promise<string>;
  /** @returns a URL to which anyone can PUT a file of exactly this size until it expires */
  uploadLink(key: string, seconds: number, bytes: number): Promise<string>;
};

/** What a function does with files, as its declaration names it. */
export type FileAction = keyof Files;

/** The name of the bucket, in the environment of a function that uses files. */
export const filesVariable = 'FILES_BUCKET';

const undeclared = (action: FileAction) => async (): Promise<never> => {
  throw new Error(`"${action}" of files is not declared`);
};

/** Refuses what is not declared, as IAM does in production. */
export const allowOnly = (files: Files, declared: readonly FileAction[]): Files => ({
  put: declared.includes('put') ? files.put : undeclared('put'),
  remove: declared.includes('remove') ? files.remove : undeclared('remove'),
  read: declared.includes('read') ? files.read : undeclared('read'),
  link: declared.includes('link') ? files.link : undeclared('link'),
  uploadLink: declared.includes('uploadLink') ? files.uploadLink : undeclared('uploadLink'),
});

/** For a process without files. */
export const noFiles: Files = {
  put: undeclared('put'),
  remove: undeclared('remove'),
  read: undeclared('read'),
  link: undeclared('link'),
  uploadLink: undeclared('uploadLink'),
};
