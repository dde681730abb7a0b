import { defineConfig } from 'vitest/config'

/** Tests of the chart on the cluster that KUBECONFIG names: one after the other, each in namespaces of its own. */
export default defineConfig({
  test: {
    include: ['tests/cluster/**/*.test.ts'],
    fileParallelism: false,
    maxWorkers: 1,
    reporters: ['verbose'],
    expect: { poll: { timeout: 60_000, interval: 500 } },
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
})
