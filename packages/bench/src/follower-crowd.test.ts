import { expect, test } from 'vitest'
import { hasAccount } from './follower-crowd.ts'
import { accountIdOf } from './seed.ts'

test.each([1, 2, 3, 4])('each account is on one of %i partitions, which have as many each', (partitions) => {
  const shares = Array.from({ length: partitions }, (_, partition) => ({ partitions, partition }))
  const accounts = Array.from({ length: 12 * partitions }, (_, number) => accountIdOf(number))
  for (const account of accounts) expect(shares.filter((share) => hasAccount(share, account))).toHaveLength(1)
  for (const share of shares) expect(accounts.filter((account) => hasAccount(share, account))).toHaveLength(12)
})
