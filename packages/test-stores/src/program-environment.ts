import { resolve } from 'node:path'

/**
 * The environment of a Node program that a test starts: nothing of the test's own, and what was compiled at earlier starts. Without that a service
 * spends most of its start with stripping types.
 */
export const PROGRAM_ENVIRONMENT = {
  PATH: '/usr/bin:/bin',
  NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../../node_modules/.cache/node'),
} as const
