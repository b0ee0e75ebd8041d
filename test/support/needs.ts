/** What a test file needs, by its path and its text. */

/** Through test/support, or by a client of its own. */
export const needsDatabase = (text: string): boolean => /\/support\/|DynamoDBClient/.test(text);

/** The functions' bundles: the stack takes them as its assets. */
export const readsBundles = (path: string): boolean =>
  /(^|\/)test\/(bench|infra|scripts)\/|kill[^/]*$/.test(path);

/** @returns the files that the run names; empty for a run of all files */
export const chosenFiles = (): string[] =>
  process.argv.filter((argument) => /^(\.\/)?test\/.*\.test\.ts$/.test(argument));
