import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'

export default defineConfig({
  test: {
    include: ['packages/*/{src,tests}/**/*.test.ts', 'services/*/{src,tests}/**/*.test.ts', 'tests/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Those need a cluster: npm run test:cluster.
    exclude: [...configDefaults.exclude, 'tests/cluster/**'],
    globalSetup: ['packages/test-stores/src/global-setup.ts'],
    // Node runs the TypeScript itself, as in production: Vite transforms nothing, and a worker loads each source once, not once a test file.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    // Files share a process: opening a world for each file is what costs time, and every world has a database of its own.
    isolate: false,
    // As many as there are processors: some tests compare times, and one more worker made those fail. No more than the run's Postgres has
    // connections for.
    maxWorkers: Math.min(4, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
