/**
 * Files are for what is too large for a table. A key is a path; its first parts name the tenant and the project. On AWS they
 * are objects of the stage's bucket (lib/runtime/s3-files.ts), on this machine files of a folder (scripts/local/files.ts).
 */

export type Files = {
  /**
   * Writes a whole file.
   * @param signal stops it. Then the file may have been written
   */
  put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** Removes a file. One that is already gone is no error. */
  remove(key: string): Promise<void>;
  /** @returns a URL that anyone can GET until it expires. It does not read the file, which may be gone */
  link(key: string, seconds: number): Promise<string>;
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
  link: declared.includes('link') ? files.link : undeclared('link'),
});

/** For a process without files. */
export const noFiles: Files = {
  put: undeclared('put'),
  remove: undeclared('remove'),
  link: undeclared('link'),
};
