/**
 * What the AWS clients of the bundles save, compared with the SDK's own: a client and its first call, in a new process. The
 * service answers from the same process, so that nothing else is measured.
 */

import { resolve } from 'node:path';
import { build } from 'esbuild';
import { buildOptions, leanPlugins, sdkPlugins } from '../scripts/bundle/bundle.ts';
import { root } from '../scripts/shared/root.ts';
import { coldStart, kilobytes, type Run } from './cold-start.ts';
import { median, ms, progress, table } from './statistics.ts';

const rounds = 15;

const clients = {
  DynamoDB: `
    import { DynamoDBClient as Client } from '@aws-sdk/client-dynamodb';
    import { GetCommand } from '@aws-sdk/lib-dynamodb';
    const command = new GetCommand({ TableName: 't', Key: { id: 'a' } });`,
  KMS: `
    import { EncryptCommand, KMSClient as Client } from '@aws-sdk/client-kms';
    const command = new EncryptCommand({ KeyId: 'k', Plaintext: Buffer.from('a') });`,
  SQS: `
    import { ChangeMessageVisibilityCommand, SQSClient as Client } from '@aws-sdk/client-sqs';
    const QueueUrl = 'https://sqs.eu-central-1.amazonaws.com/1/q';
    const command = new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: 'r', VisibilityTimeout: 1 });`,
};

const call = `
  import { createServer } from 'node:http';
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  export async function handler() {
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => response.end('{}'));
    });
    await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
    const endpoint = \`http://127.0.0.1:\${server.address().port}\`;
    await new Client({ region: 'eu-central-1', endpoint, credentials }).send(command);
    return { statusCode: 200 };
  }`;

const event = { Records: [] };

export async function sdkClients(): Promise<string> {
  const rows = [];
  for (const [service, code] of Object.entries(clients)) {
    progress(`SDK clients: ${service}`);
    const ours = await bundleClient(`${service}-ours`, code, leanPlugins);
    const theirs = await bundleClient(`${service}-sdk`, code, sdkPlugins);
    const pairs: { ours: Run; theirs: Run }[] = [];
    for (let index = -2; index < rounds; index += 1) {
      const pair = { ours: coldStart({ file: ours, event }), theirs: coldStart({ file: theirs, event }) };
      // The first two warm the disk's cache.
      if (index >= 0) pairs.push(pair);
    }
    const saved = (of: 'totalMs' | 'processorMs') =>
      ms(median(pairs.map((pair) => pair.theirs[of] - pair.ours[of])));
    rows.push([
      service,
      `${kilobytes(ours).toFixed(0)} KB`,
      `${kilobytes(theirs).toFixed(0)} KB`,
      saved('totalMs'),
      saved('processorMs'),
    ]);
  }
  return [
    table(['client, with a first call', 'ours', "the SDK's own", 'saved time', 'saved CPU time'], rows),
    '',
    `Medians of the differences in ${rounds} pairs.`,
  ].join('\n');
}

async function bundleClient(name: string, code: string, plugins: typeof leanPlugins): Promise<string> {
  const outfile = resolve(root, `dist/sdk-clients/${name}.mjs`);
  const stdin = { contents: code + call, resolveDir: root };
  // The SDK's own clients are partly CommonJS, which loads builtins with `require`.
  const banner = {
    js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
  };
  await build({ ...buildOptions, stdin, outfile, plugins, banner });
  return outfile;
}
