import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ensureDerived } from './scripts/openapi/derived.ts';
import { FastestFirst } from './test/support/fastest-first.ts';

// Also for vitest.aws.config.ts and vitest.docs.config.ts. The files of globalSetup import some of the files.
await ensureDerived();

/** CI counts from the report what it prints last. */
export const reporting = (report: string | undefined) =>
  report ? { reporters: ['default', 'json'], outputFile: { json: report } } : {};

/** CDK's own checks of the templates take more than half of each synthesis: test/infra/app.test.ts runs them once. */
export const withoutValidation = { CDK_VALIDATION: 'false' };

/** Halves the time in which a script or a server starts that a test runs as a process of its own. */
const compileCache = { NODE_COMPILE_CACHE: resolve(import.meta.dirname, '.local/compile-cache') };

/**
 * With memory protection keys, which some x64 processors have, V8 sometimes ends a busy process: "Check failed:
 * jit_page.has_value()" (https://github.com/archestra-ai/archestra/pull/6177). Only V8 for Linux on x64 has the option.
 */
const withoutProtectionKeys =
  process.platform === 'linux' && process.arch === 'x64' ? ['--no-memory-protection-keys'] : [];

/** What `npm test` leaves out. */
export const tags = [
  {
    name: 'long',
    description:
      'Kills, walks through everything, many processes, random sequences, fifty requests at the same time, the page in Chromium: in `npm run test:long`, which CI runs.',
    timeout: 900_000,
  },
  {
    name: 'nightly',
    description: 'Repeated kills, load, other runtimes and more random sequences: in `npm run test:nightly`.',
    timeout: 1_800_000,
  },
];

export default defineConfig({
  test: {
    env: { ...withoutValidation, ...compileCache },
    execArgv: withoutProtectionKeys,
    include: ['test/**/*.test.ts'],
    // Need an emulated AWS account: `npm run test:aws` and `npm run test:docs`.
    exclude: ['test/aws/**', 'test/docs/**'],
    globalSetup: [
      'test/support/global-setup.ts',
      'test/support/cli-setup.ts',
      'test/support/bundle-beside.ts',
    ],
    setupFiles: ['test/support/file-setup.ts'],
    // Every file has a database of its own, so files may run side by side on one DynamoDB Local, and one after another in one
    // process: a process of its own would cost each file a second to import the service.
    isolate: false,
    sequence: { sequencer: FastestFirst },
    // A process waits for DynamoDB Local, and for clocks. One more than there are cores keeps all of them busy.
    maxWorkers: availableParallelism() + 1,
    tags,
    // A test without an assertion fails. A timeout is there for what hangs: what is slow on a busy machine passes.
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    // CI shows only the message of a failure, so the message has the values.
    chaiConfig: { truncateThreshold: 1000 },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    ...reporting(process.env.VITEST_REPORT),
  },
});
