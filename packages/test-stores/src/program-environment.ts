import { resolve } from 'node:path'

/**
 * The environment of a Node program that a test starts: nothing of the test's own, and a compile cache. Without that a service spends most
 * of its start on stripping types.
 */
export const PROGRAM_ENVIRONMENT = {
  PATH: '/usr/bin:/bin',
  NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../../node_modules/.cache/node'),
} as const
