/** Many projects at once, past the API. */

import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Runtime } from '../lib/runtime.ts';

const inParallel = 8;

type Fill = {
  tenant: string;
  /** The projects' numbers: from the first up to, not including, the last. */
  from: number;
  to: number;
  status?: 'active' | 'archived';
  progress?: (done: number) => void;
};

/** Stores projects that were made long ago, oldest first. */
export async function fillProjects(
  { client, tableNames }: Pick<Runtime, 'client' | 'tableNames'>,
  { tenant, from, to, status = 'active', progress = () => {} }: Fill,
): Promise<void> {
  const putRequest = (number: number) => ({
    PutRequest: {
      Item: {
        tenant,
        id: `proj_00${String(number).padStart(24, '0')}`,
        name: `Project ${number}`,
        description: null,
        metadata: {},
        status,
        createdAt: '1970-01-01T00:00:00.000Z',
        updatedAt: '1970-01-01T00:00:00.000Z',
        createdBy: 'key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E',
      },
    },
  });
  for (let start = from; start < to; start += 25 * inParallel) {
    progress(start);
    const numbers = Array.from(
      { length: Math.min(25 * inParallel, to - start) },
      (_, index) => start + index,
    );
    const batches = Array.from({ length: Math.ceil(numbers.length / 25) }, (_, index) =>
      numbers.slice(index * 25, index * 25 + 25).map(putRequest),
    );
    await Promise.all(
      batches.map((batch) =>
        client.send(new BatchWriteCommand({ RequestItems: { [tableNames.projects as string]: batch } })),
      ),
    );
  }
}
