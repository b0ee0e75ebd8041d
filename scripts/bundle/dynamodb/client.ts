/** The client: a command becomes a signed request, and the response its output or an error. */

import { randomUUID } from 'node:crypto';
import type { marshallOptions as MarshallOptions } from '@aws-sdk/util-dynamodb';
import { fromJson, toJson } from './attributes.ts';
import type { Command } from './commands.ts';
import { errorOf, type Metadata } from './errors.ts';
import { type HttpResponse, openHttp, type Post, type Timeouts } from './http.ts';
import { openRetries, type Retries, sendWithRetries } from './retries.ts';
import { type Credentials, openSigner, type Signer } from './signature.ts';
import { assertMembers, convertStructure } from './structures.ts';

type Settings = {
  region: string;
  endpoint: string;
  /** Without them, every command throws. */
  credentials?: Credentials;
  requestHandler?: Timeouts;
  maxAttempts?: number;
};

/** The SDK has the same number for DynamoDB. */
const defaultAttempts = 4;

type SendOptions = { abortSignal?: AbortSignal | undefined };

type Output = Record<string, unknown> & { $metadata: Metadata };

/** The connection to DynamoDB in one region. */
export class DynamoDBClient {
  readonly #host: string;
  readonly #post: Post;
  readonly #sign: Signer | undefined;
  readonly #retries: Retries;

  /** @throws Error if the endpoint has a path or a query */
  constructor({
    region,
    endpoint,
    credentials,
    requestHandler = {},
    maxAttempts = defaultAttempts,
  }: Settings) {
    const url = new URL(endpoint);
    if (url.href !== `${url.origin}/`) throw new Error(`the endpoint ${endpoint} has more than an origin`);
    this.#host = url.host;
    this.#post = openHttp(url, requestHandler);
    this.#retries = openRetries(maxAttempts);
    this.#sign = credentials && openSigner(credentials, region, 'dynamodb');
  }

  /** @returns what DynamoDB responds @throws the error that it responds, or that of the connection */
  async call(operation: string, input: object, signal: AbortSignal | undefined): Promise<Output> {
    const sign = this.#sign;
    if (!sign) throw new Error('there are no credentials for DynamoDB');
    const body = Buffer.from(JSON.stringify(input));
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'content-length': String(body.byteLength),
      'amz-sdk-invocation-id': randomUUID(),
      host: this.#host,
    };
    const { output, tries } = await sendWithRetries(this.#retries, {
      send: (attempt, maxAttempts) => {
        const counted = { ...headers, 'amz-sdk-request': `attempt=${attempt}; max=${maxAttempts}` };
        // Each attempt is signed: the time is part of a signature.
        const signed = sign(counted, body, new Date());
        return this.#post({ ...signed, 'user-agent': 'platform-api' }, body, signal);
      },
      read: readResponse,
      signal,
    });
    return { ...output, $metadata: { ...output.$metadata, ...tries } };
  }
}

/** The client that our code uses: with values of JavaScript in commands and outputs. */
export class DynamoDBDocumentClient {
  readonly #client: DynamoDBClient;
  readonly #options: MarshallOptions | undefined;

  private constructor(client: DynamoDBClient, options: MarshallOptions | undefined) {
    this.#client = client;
    this.#options = options;
  }

  static from(client: DynamoDBClient, { marshallOptions }: { marshallOptions?: MarshallOptions } = {}) {
    return new DynamoDBDocumentClient(client, marshallOptions);
  }

  /** @throws Error for a value that DynamoDB does not have, and what `call` throws */
  async send({ operation, input }: Command, { abortSignal }: SendOptions = {}): Promise<Output> {
    const { name, request, response, token } = operation;
    assertMembers(request, input, name);
    // The same in all attempts.
    const given = token ? { [token]: randomUUID(), ...input } : input;
    const members = convertStructure(request, given, (value) => toJson(value, this.#options));
    const { $metadata, ...output } = await this.#client.call(name, members, abortSignal);
    return { ...convertStructure(response, output, fromJson), $metadata };
  }
}

/** @throws the error that the response says; SyntaxError if it is no JSON, as from a proxy */
function readResponse(response: HttpResponse): Output {
  const { statusCode, headers, body } = response;
  const requestId = headers['x-amzn-requestid'];
  const $metadata: Metadata = { httpStatusCode: statusCode, requestId: requestId?.toString() };
  let said: Record<string, unknown>;
  try {
    said = { ...(body === '' ? {} : JSON.parse(body)) };
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { $metadata }) : error;
  }
  if (statusCode >= 300) throw Object.assign(errorOf(response, said), { $metadata });
  return { ...said, $metadata };
}
