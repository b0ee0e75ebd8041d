/** Attribute values: between JavaScript and DynamoDB's JSON, in which bytes are base64. */

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { convertToAttr, convertToNative, type marshallOptions } from '@aws-sdk/util-dynamodb';

/** An attribute value as JSON.parse returns it, and as JSON.stringify takes it. */
type Json = {
  B?: unknown;
  BS?: unknown[];
  L?: Json[];
  M?: Record<string, Json>;
};

/** @throws Error if DynamoDB has no such value */
export const toJson = (value: unknown, options?: marshallOptions): unknown =>
  mapBytes(convertToAttr(value, options) as Json, toBase64);

export const fromJson = (value: unknown): unknown => convertToNative(withBytes(value));

/** @returns an attribute value as the SDK's errors have it */
export const withBytes = (value: unknown): AttributeValue =>
  mapBytes(value as Json, fromBase64) as AttributeValue;

/** Replaces the bytes in an attribute value, which belongs to nobody else. */
function mapBytes(value: Json, map: (bytes: unknown) => unknown): Json {
  if (value.B !== undefined) value.B = map(value.B);
  else if (value.BS) value.BS = value.BS.map(map);
  else if (value.L) for (const one of value.L) mapBytes(one, map);
  else if (value.M) for (const one of Object.values(value.M)) mapBytes(one, map);
  return value;
}

/** @throws TypeError for other views and buffers, which the SDK would send as empty text */
function toBase64(bytes: unknown): string {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('Only a Uint8Array can be stored as bytes.');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function fromBase64(text: unknown): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(String(text), 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
}
