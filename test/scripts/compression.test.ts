/** The compression of the dev server, which is that of API Gateway. */

import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { minimumCompressionBytes } from '../../lib/http/raw-documents.ts';
import { compressed } from '../../scripts/local/compression.ts';

const result = (body: string) => ({ statusCode: 200, headers: { ETag: 'W/"1"' }, body });
const large = 'ä'.repeat(minimumCompressionBytes / 2);

describe('a response is compressed', () => {
  test.each(['gzip', 'deflate, gzip;q=1.0, *;q=0.5', 'GZIP', '*', 'br, gzip;q=0.001'])(
    'for %s',
    async (accepted) => {
      const { headers, body } = await compressed(result(large), accepted);
      expect(headers).toEqual({ ETag: 'W/"1"', 'Content-Encoding': 'gzip' });
      expect(gunzipSync(body).toString()).toBe(large);
    },
  );
});

describe('a response is not compressed', () => {
  test.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0, *', '*;q=0', 'xgzip'])(
    'for %s',
    async (accepted) => {
      expect(await compressed(result(large), accepted)).toEqual({ headers: { ETag: 'W/"1"' }, body: large });
    },
  );

  test('below the minimum', async () => {
    const { body, headers } = await compressed(result(large.slice(1)), 'gzip');
    expect([headers['Content-Encoding'], body]).toEqual([undefined, large.slice(1)]);
  });
});
