import { defineConfig } from 'vitest/config';
import { reporting } from './vitest.config.ts';

/** `npm run test:docs`: the shell blocks of the documents. */
export default defineConfig({
  test: {
    include: ['test/docs/**/*.test.ts'],
    expect: { requireAssertions: true },
    testTimeout: 60_000,
    ...reporting(process.env.VITEST_DOCS_REPORT),
  },
});
