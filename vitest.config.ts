import { defineConfig } from 'vitest/config';

const report = process.env.VITEST_REPORT;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Every file works in organisations of its own, so files may run side by side on one DynamoDB Local.
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // CI counts from the report what it prints last.
    ...(report && { reporters: ['default', 'json'], outputFile: { json: report } }),
  },
});
