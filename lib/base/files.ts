/**
 * Files have data that is too large for a table. A key is a path; its first parts name the tenant and the project. On AWS they
 * are objects of the stage's bucket (lib/runtime/s3-files.ts), on this machine files of a folder (scripts/local/files.ts).
 */

type FilePart = {
  bytes: Uint8Array;
  /** The size of the whole file. */
  size: number;
  /** The version changes when the file is written again. */
  version: string;
};

export type Files = {
  /**
   * Writes a whole file.
   * @param signal stops the write, although the file may have been written
   */
  put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** Removes a file. A file that is already gone is no error. */
  remove(key: string): Promise<void>;
  /**
   * @param from the first byte, before the end of the file
   * @param length the maximum number of bytes; there are fewer at the end
   * @returns undefined if there is no file, or if it is empty
   */
  read(key: string, from: number, length: number): Promise<FilePart | undefined>;
  /** @returns a URL that anyone can GET until it expires. It does not read the file, which may be gone */
  link(key: string, seconds: number): Promise<string>;
  /** @returns a URL to which anyone can PUT a file of exactly this size until it expires */
  uploadLink(key: string, seconds: number, bytes: number): Promise<string>;
};

export type FileAction = keyof Files;

const exportPart = '/job_';
const uploadPart = '/uploads/upl_';

/**
 * The text that a key must contain, for each action. So a link for an upload cannot overwrite a file of an export, and a link
 * to an export cannot lead to an upload.
 */
const partsOfKeys: Readonly<Record<FileAction, string>> = {
  put: exportPart,
  link: exportPart,
  read: uploadPart,
  uploadLink: uploadPart,
  remove: '/',
};

export const fileActions = Object.keys(partsOfKeys) as FileAction[];

/** @returns the keys that an action may name, as in an IAM policy */
export const keysOf = (action: FileAction): string => `*${partsOfKeys[action]}*`;

/** @returns the action, if it is declared. It refuses other keys, as IAM does in production */
function allow<Rest extends unknown[], Result>(
  action: FileAction,
  declaredActions: readonly FileAction[],
  act: (key: string, ...rest: Rest) => Promise<Result>,
): (key: string, ...rest: Rest) => Promise<Result> {
  if (!declaredActions.includes(action)) return undeclared(action);
  return async (key, ...rest) => {
    if (!key.includes(partsOfKeys[action])) throw new Error(`"${action}" may not name this file`);
    return act(key, ...rest);
  };
}

/** The variable with the name of the bucket, for a function that uses files. */
export const filesVariable = 'FILES_BUCKET';

const undeclared = (action: FileAction) => async (): Promise<never> => {
  throw new Error(`"${action}" of files is not declared`);
};

/** Refuses undeclared actions, as IAM does in production. */
export function allowOnly(files: Files, declaredActions: readonly FileAction[]): Files {
  if (declaredActions.length === 0) return noFiles;
  return {
    put: allow('put', declaredActions, files.put),
    remove: allow('remove', declaredActions, files.remove),
    read: allow('read', declaredActions, files.read),
    link: allow('link', declaredActions, files.link),
    uploadLink: allow('uploadLink', declaredActions, files.uploadLink),
  };
}

export const noFiles: Files = {
  put: undeclared('put'),
  remove: undeclared('remove'),
  read: undeclared('read'),
  link: undeclared('link'),
  uploadLink: undeclared('uploadLink'),
};
