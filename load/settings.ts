import { SharedArray } from 'k6/data'

/** Where it goes, how many people there are, how long each scene takes, and which scenes: as `npm run load` hands them over. */
export const TARGET = __ENV['TARGET'] ?? 'http://localhost:3000'
export const USERS = Number(__ENV['USERS'] ?? 10)
export const SECONDS = Math.round(Number(__ENV['MINUTES'] ?? 1) * 60)
export const ONLY = __ENV['ONLY'] ?? ''

/** Where the server's processes show their metrics: needed to see whether their memory grows. */
export const METRICS: readonly string[] = (__ENV['METRICS'] ?? '').split(',').filter(Boolean)

const file = __ENV['TOKENS']

/** Access tokens made beforehand, one a line; none where people sign up themselves. */
export const TOKENS: readonly string[] = new SharedArray('tokens', () => (file ? open(file).split('\n').filter(Boolean) : []))
