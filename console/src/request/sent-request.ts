/** A request that the page has sent. Headers are not recorded: they contain the credential. */

export type SentRequest = {
  /** The number of the request on its page. */
  id: number;
  method: string;
  /** The path below the base URL, without the query. */
  path: string;
  query: readonly (readonly [string, string])[];
  body: unknown;
  /** The status of the response; undefined until there is a response. */
  status: number | undefined;
  requestId: string | undefined;
};
