/** Signature Version 4 of a POST to the root of an endpoint ("Create a signed AWS API request", IAM User Guide). */

import { createHash, createHmac } from 'node:crypto';

export type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

export type Signer = (
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  at: Date,
) => Record<string, string>;

const algorithm = 'AWS4-HMAC-SHA256';

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

/** @returns a function that returns headers with those of the signature. It signs all of them, so none may change on its way */
export function openSigner(
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  region: string,
  service: string,
): Signer {
  let key = { day: '', bytes: Buffer.alloc(0) };

  const keyOf = (day: string) => {
    if (key.day !== day) {
      const bytes = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
        hmac,
        `AWS4${secretAccessKey}`,
      );
      key = { day, bytes: Buffer.from(bytes) };
    }
    return key.bytes;
  };

  return (unsigned, body, at) => {
    const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const day = time.slice(0, 8);
    const bodyHash = sha256(body);
    const headers = {
      ...unsigned,
      'x-amz-date': time,
      ...(sessionToken && { 'x-amz-security-token': sessionToken }),
      'x-amz-content-sha256': bodyHash,
    };
    const sorted = Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1));
    const names = sorted.map(([name]) => name).join(';');
    const lines = sorted.map(([name, value]) => `${name}:${value.trim().replaceAll(/\s+/g, ' ')}`);
    const request = ['POST', '/', '', ...lines, '', names, bodyHash].join('\n');
    const scope = `${day}/${region}/${service}/aws4_request`;
    const signature = hmac(keyOf(day), [algorithm, time, scope, sha256(request)].join('\n')).toString('hex');
    const authorization = `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
    return { ...headers, authorization };
  };
}
