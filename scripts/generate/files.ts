/** What a part of `npm run generate` returns: the text of each file by its path, relative to the root. */
export type Files = Readonly<Record<string, string>>;
