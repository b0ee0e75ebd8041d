import { defineConfig } from 'vitest/config';
import { reporting, tags } from './vitest.config.ts';

/** `npm run test:docs`: the shell blocks of the documents. `test:docs:nightly` runs those that need an AWS account, too. */
export default defineConfig({
  test: {
    include: ['test/docs/**/*.test.ts'],
    expect: { requireAssertions: true },
    tags,
    testTimeout: 60_000,
    ...reporting(process.env.VITEST_DOCS_REPORT),
  },
});
