import * as z from 'zod';
import { parserWithOwnJson } from '../../lib/base/own-json.ts';
import { defineEndpoint, fail } from '../../lib/http/endpoint.ts';
import { noBatches } from '../../lib/mcp/batches.ts';

const Message = z.object({ text: z.string() });

export default defineEndpoint({
  id: 'mcp.post',
  method: 'POST',
  path: '/mcp',
  summary: 'Send a message of the Model Context Protocol',
  description:
    'Offers the API to agents as tools (streamable HTTP, without sessions). The tools call the API with the credential of the ' +
    'request, and see and change only what it may. Tools that delete or end something are off without `destructive=true`.',
  otherMethods: {
    GET: 'There are no streams. Send each message with POST.',
    DELETE: 'There are no sessions. Send each message with POST.',
  },
  // The API checks the credential that is forwarded.
  auth: 'public',
  // Tools take the JSON of an avatar's `runtime`.
  parseBody: parserWithOwnJson(['params', 'arguments', 'runtime']),
  request: {
    query: z.strictObject({
      destructive: z
        .enum(['true', 'false'])
        .default('false')
        .meta({ description: 'Whether there are tools that delete or end something.' }),
    }),
    // The SDK checks the fields of the message.
    body: z.strictObject(
      {
        jsonrpc: z.literal('2.0').meta({ description: 'The version of JSON-RPC.' }),
        id: z.unknown().optional().meta({ description: 'The id of a request. A notification has none.' }),
        method: z.unknown().optional().meta({ description: 'The method of a request or a notification.' }),
        params: z.unknown().optional().meta({ description: 'The parameters of the method.' }),
        result: z.unknown().optional().meta({ description: 'The result, in a response.' }),
        error: z.unknown().optional().meta({ description: 'The error, in a response.' }),
      },
      {
        error: ({ code, input }) => (code === 'invalid_type' && Array.isArray(input) ? noBatches : undefined),
      },
    ),
  },
  causes: { nothing: 'The requests to the API that it sends cause the events.' },
  responses: { 200: Message, 202: Message, 400: Message, 404: Message, 406: Message },
  raw: 'message',
  errors: ['unauthorized', 'forbidden'],
  forwards: true,

  async handle({ body, query, api, version, headerValues, randomBytes }) {
    const apiOrigin = new URL(api.url()).origin;
    if (headerValues('origin').some((origin) => origin !== apiOrigin)) {
      return fail('forbidden', 'The Origin of the request is not that of the API. Agents send no Origin.');
    }
    const [authorization = '', ...others] = headerValues('authorization');
    if (others.length > 0 || !/^Bearer +\S/i.test(authorization)) return fail('unauthorized');
    const { exchange } = await import('../../lib/mcp/exchange.ts');
    const { status, text } = await exchange({
      message: body,
      headerValues,
      authorization,
      allowDestructive: query.destructive === 'true',
      version,
      randomBytes,
      api,
    });
    if (status === 401) return fail('unauthorized', text);
    return { status, data: { text } };
  },
});
