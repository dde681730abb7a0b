import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Address, type Change, netChanges, type Withdrawal } from './intake.rules.ts'

const person = fc.constantFrom('1', '2')
const status = fc.constantFrom('10', '11')
const type = fc.constantFrom('favourite', 'follow')
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })

const address: fc.Arbitrary<Change> = fc.record({
  address: fc.record({ recipientId: person, type, actorId: person, statusId: maybe(status), addressedAt: fc.constant(0) }),
})
const withdrawal: fc.Arbitrary<Change> = fc.record({
  withdrawal: fc.record({ recipientId: maybe(person), type: maybe(type), actorId: maybe(person), statusId: maybe(status) }),
})

const keyOf = ({ recipientId, type, actorId, statusId }: Address) => [recipientId, type, actorId, statusId].join()
const matches = (address: Address, by: Withdrawal) =>
  Object.entries(by).every(([part, value]) => value === undefined || address[part as keyof Address] === value)

/** The reference implementation: one change after the other. */
const oneByOne = (inbox: Map<string, Address>, changes: readonly Change[]) => {
  for (const change of changes) {
    if ('address' in change) inbox.set(keyOf(change.address), change.address)
    else for (const [key, notified] of inbox) if (matches(notified, change.withdrawal)) inbox.delete(key)
  }
}

test('withdrawing first and addressing then leaves the inbox that one change after the other leaves', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(address, withdrawal)), fc.array(fc.oneof(address, withdrawal)), (earlier, batch) => {
      const plain = new Map<string, Address>()
      oneByOne(plain, earlier)
      const batched = new Map(plain)
      oneByOne(plain, batch)
      const { withdrawals, addresses } = netChanges(batch)
      oneByOne(batched, [...withdrawals.map((each) => ({ withdrawal: each })), ...addresses.map((each) => ({ address: each }))])
      expect([...batched.keys()].sort()).toEqual([...plain.keys()].sort())
    }),
  )
})

test('what stays is addressed in the order it came', () => {
  const follow = (actorId: string) => ({ recipientId: '1', type: 'follow', actorId, statusId: undefined, addressedAt: 0 })
  const { addresses } = netChanges([
    { address: follow('5') },
    { withdrawal: { actorId: '6' } },
    { address: follow('6') },
    { address: follow('4') },
  ])
  expect(addresses.map((each) => each.actorId)).toEqual(['5', '6', '4'])
})
