/** The start of the User-Agent of requests that `POST /mcp` and `platform mcp` send to the API. The version follows. */
export const mcpAgent = 'platform-mcp/';
