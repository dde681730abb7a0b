import { EventEmitter } from 'node:events'
import type { Consumer } from 'kafkajs'
import { expect, it } from 'vitest'
import { createMembership } from './membership.ts'

/** A membership, and the kafkajs consumer whose events it follows. */
const member = () => {
  const events = new EventEmitter()
  const membership = createMembership({ group: 'birds', sessionMilliseconds: 60_000, onSilence: () => {} })
  membership.follow(events as unknown as Consumer, () => {})
  return {
    membership,
    happens(...names: string[]) {
      for (const name of names) events.emit(`consumer.${name}`, { payload: { restart: true, apiName: 'JoinGroup' } })
    },
  }
}

const NOT_JOINED = 'the group birds is not joined'

it.each([
  [[], NOT_JOINED],
  [['group_join'], undefined],
  [['group_join', 'heartbeat', 'heartbeat', 'rebalancing'], NOT_JOINED],
  [['group_join', 'crash'], NOT_JOINED],
  [['group_join', 'rebalancing', 'group_join'], undefined],
  // The coordinator no longer knew the member, for which kafkajs emits no rebalancing event.
  [['group_join', 'heartbeat', 'heartbeat', 'network.request'], NOT_JOINED],
  [['group_join', 'network.request', 'network.request', 'group_join'], undefined],
  // The coordinator was loading, which kafkajs does not retry: it continues with its previous membership.
  [['group_join', 'rebalancing', 'heartbeat'], NOT_JOINED],
  [['group_join', 'rebalancing', 'heartbeat', 'heartbeat'], undefined],
  [['group_join', 'rebalancing', 'heartbeat', 'rebalancing', 'heartbeat'], NOT_JOINED],
])('after %j the fault is %j', (names, fault) => {
  const { membership, happens } = member()
  happens(...names)
  expect(membership.fault()).toBe(fault)
  membership.stop()
})
