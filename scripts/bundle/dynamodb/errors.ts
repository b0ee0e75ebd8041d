/** The errors that DynamoDB responds with, as the SDK's: with the fields of the response, and `$fault` and `$metadata`. */

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { withBytes } from './attributes.ts';
import type { HttpResponse } from './http.ts';
import { convertStructure, type Kind, type Structure } from './structures.ts';

export type Metadata = {
  httpStatusCode?: number;
  requestId?: string | undefined;
  attempts?: number;
  totalRetryDelay?: number;
};

class DynamoDBServiceException extends Error {
  $fault: 'client' | 'server' = 'client';
  $metadata: Metadata = {};
}

export class ConditionalCheckFailedException extends DynamoDBServiceException {
  /** The SDK's document client does not convert errors either. */
  Item?: Record<string, AttributeValue>;
}

export class TransactionCanceledException extends DynamoDBServiceException {
  CancellationReasons?: { Item?: Record<string, AttributeValue>; Code?: string; Message?: string }[];
}

const reason: Kind = { structure: { Item: 'attributes', Code: 'plain', Message: 'plain' } };
const withAttributes: Structure = { Item: 'attributes', CancellationReasons: { list: reason } };

/** @returns the error that a response says */
export function errorOf({ statusCode, headers }: HttpResponse, said: Record<string, unknown>) {
  const name = codeOf(headers, said);
  const message = String(said.message || said.Message || 'UnknownError');
  const error = new (classOf(name))(message);
  const isServerFault = statusCode >= 500 || name === 'InternalServerError';
  Object.assign(error, { name, $fault: isServerFault ? 'server' : 'client' });
  // Only this one would not be sent again by its name or its status.
  if (name === 'ReplicatedWriteConflictException') Object.assign(error, { $retryable: {} });
  const rest = Object.entries(said).filter(([field]) => !(field in error) && field !== 'Message');
  const converted =
    error.constructor === DynamoDBServiceException ? {} : convertStructure(withAttributes, said, withBytes);
  return Object.assign(error, Object.fromEntries(rest), converted);
}

function classOf(name: string) {
  if (name === 'ConditionalCheckFailedException') return ConditionalCheckFailedException;
  if (name === 'TransactionCanceledException') return TransactionCanceledException;
  return DynamoDBServiceException;
}

/** @returns the name of an error, which has a namespace before `#`, and may have details after a colon or comma */
function codeOf(headers: HttpResponse['headers'], said: Record<string, unknown>): string {
  const [, code] = Object.entries(said).find(([field]) => field.toLowerCase() === 'code') ?? [];
  const full = said.__type ?? code ?? headers['x-amzn-errortype'];
  const [name = ''] = String(full ?? 'Unknown').split(/[,:]/);
  return name.split('#')[1] ?? name;
}
