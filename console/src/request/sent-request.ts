/** A request that the page has sent. Headers are not recorded: they contain the credential. */

export type SentRequest = {
  /** Counts the requests of the page. */
  id: number;
  method: string;
  /** Below the base URL, without the query. */
  path: string;
  query: readonly (readonly [string, string])[];
  body: unknown;
  /** Undefined until there is a response. */
  status: number | undefined;
  requestId: string | undefined;
};
