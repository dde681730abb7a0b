import type { StatusView } from '@rookery/contracts/statuses'
import { expect, test } from 'vitest'
import { presentedBytes } from './presenter.ts'

const LONG = 300_000

test('a presented page counts as many bytes as its statuses and accounts have, however long they are', () => {
  const statuses: StatusView[] = ['1', '2'].map((id) => ({ id, version: 1, accountId: '7', body: Buffer.alloc(LONG) }))
  const page = {
    items: statuses.map(({ id }) => ({ id, reblogOfId: '' })),
    statuses,
    accounts: [{ id: '7', version: 1, body: Buffer.alloc(500) }],
    cursors: undefined,
    isRebuilding: false,
  }
  const bytes = presentedBytes({ heads: new Map(), page, until: 0 })
  expect(bytes).toBeGreaterThan(2 * LONG + 500)
  expect(bytes).toBeLessThan(2 * LONG + 10_000)
})
