import { expect, test } from 'vitest'
import { sumOf } from './partitions.ts'

test('partitions together cost what each costs, and take as long as the slowest', () => {
  const one = { database: 100, server: 10, wal: 5000, seconds: 0.5 }
  const other = { database: 300, server: 20, wal: 7000, seconds: 0.2 }
  expect(sumOf([one, other])).toEqual({ database: 400, server: 30, wal: 12_000, seconds: 0.5 })
})
