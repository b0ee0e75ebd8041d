import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Every file works in organisations of its own, so files may run side by side on one DynamoDB Local.
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
