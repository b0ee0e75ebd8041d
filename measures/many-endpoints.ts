import { endpoints } from '../functions/index.ts';
import type { Release } from '../infra/stack.ts';
import type { Endpoint } from '../lib/http/endpoint.ts';
import type { Worker } from '../lib/workers/worker.ts';
import { functionFolder } from '../scripts/bundle/bundle.ts';
import { workers } from '../workers/index.ts';

/** @returns the workers, and as many endpoints as wanted: the declared ones, and copies of them as further resources */
export function releaseOf(count: number): Release {
  const folders = new Map<Endpoint, string>();
  for (let copy = 1; folders.size < count; copy += 1) {
    for (const endpoint of endpoints.slice(0, count - folders.size)) {
      folders.set(copyOf(endpoint, copy), functionFolder(endpoint));
    }
  }
  const folderOf = (declared: Endpoint | Worker) =>
    ('auth' in declared ? folders.get(declared) : undefined) ?? functionFolder(declared);
  return { endpoints: [...folders.keys()], workers, folderOf };
}

function copyOf(endpoint: Endpoint, copy: number): Endpoint {
  if (copy === 1) return endpoint;
  const [family, ...rest] = endpoint.id.split('.');
  return { ...endpoint, id: [`${family}${copy}`, ...rest].join('.'), path: `/copy${copy}${endpoint.path}` };
}
