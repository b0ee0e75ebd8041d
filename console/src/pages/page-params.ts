/** The parameters in the path of a page, by their names in its pattern. */
export type PageParams = Readonly<Record<string, string>>;
