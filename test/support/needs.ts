/** What a test file needs, by its path and its text. */

/** Helpers that use no table: a dev server has tables of its own. */
const withoutTables =
  /\/support\/(browser|client\/(pyright|pythons)|console|dev-server|mcp|npm-package|sample-files|site)\.ts|\/samples\/samples\.ts/g;

/** Through samples/ or test/support, a measurement, or by a client of its own. */
export const needsDatabase = (text: string): boolean =>
  /\/(samples|support)\/|\/measures\/reply-units|DynamoDBClient/.test(text.replace(withoutTables, ''));

/** The functions' bundles: the stack takes them as its assets. */
export const readsBundles = (path: string): boolean =>
  /(^|\/)test\/(bench|infra|measures|scripts)\/|kill[^/]*$/.test(path);

/** @returns the files that the run names; empty for a run of all files */
export const chosenFiles = (): string[] =>
  process.argv.filter((argument) => /^(\.\/)?test\/.*\.test\.ts$/.test(argument));
