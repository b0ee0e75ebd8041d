/** Compresses responses, as API Gateway does if `minimumCompressionSize` is set. */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { minimumCompressionBytes } from '../../lib/http/raw-documents.ts';

/** @param accepted the value of Accept-Encoding */
export async function compressed(
  { headers, body, isBase64Encoded }: APIGatewayProxyResult,
  accepted: string | string[] | undefined,
): Promise<{ headers: Record<string, string>; body: string | Buffer }> {
  const same = { ...(headers as Record<string, string>) };
  // A streamed response is not compressed.
  if (isBase64Encoded) return { headers: same, body: Buffer.from(body, 'base64') };
  if (Buffer.byteLength(body) < minimumCompressionBytes || !acceptsGzip(String(accepted ?? ''))) {
    return { headers: same, body };
  }
  return { headers: { ...same, 'Content-Encoding': 'gzip' }, body: await promisify(gzip)(body) };
}

/** A coding with the weight 0 is not accepted (RFC 9110 section 12.5.3). */
function acceptsGzip(header: string): boolean {
  const codings = header
    .split(',')
    .map((coding) => coding.split(';').map((part) => part.trim().toLowerCase()));
  const own = codings.find(([name]) => name === 'gzip') ?? codings.find(([name]) => name === '*');
  return own !== undefined && !own.some((part) => /^q=0(\.0*)?$/.test(part));
}
