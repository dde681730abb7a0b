import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/{src,tests}/**/*.test.ts', 'services/*/{src,tests}/**/*.test.ts', 'tests/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Those need a cluster: npm run test:cluster.
    exclude: [...configDefaults.exclude, 'tests/cluster/**'],
    globalSetup: ['packages/test-stores/src/global-setup.ts'],
    pool: 'forks',
    // Files share a process: opening a world for each file is what costs time, and every world has a database of its own.
    isolate: false,
    maxWorkers: 2,
    // A condition that is waited for may come late on a busy machine; it ends the wait the moment it holds.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
