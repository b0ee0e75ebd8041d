import { defineConfig } from 'vitest/config';
import { reporting, tags, withoutValidation } from './vitest.config.ts';

/** `npm run test:aws`: the service deployed into an emulated AWS account. `test:aws:nightly` shows the contract on all endpoints. */
export default defineConfig({
  test: {
    env: withoutValidation,
    include: ['test/aws/**/*.test.ts'],
    globalSetup: ['test/support/bundle-setup.ts'],
    // There is one account, and the upgrade changes the bundles.
    fileParallelism: false,
    expect: { requireAssertions: true },
    tags,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    ...reporting(process.env.VITEST_AWS_REPORT),
  },
});
