import type { Tx } from '@rookery/database'
import type { NotificationsTables } from '../database/schema.ts'
import { holdBackPermissions } from './permission.store.ts'
import { choiceOf, type PolicyReason } from './policy.rules.ts'
import { policiesOf } from './policy.store.ts'

type Judged = { readonly recipientId: string; readonly actorId: string; readonly reasons?: readonly PolicyReason[] | undefined }

/**
 * Removes what the recipients' policies drop and marks what they filter (beyond-the-spec 1.14), in the given order: two statements for all
 * of them, none if no test is failed. Until the transaction ends, no sender whose notifications it filters can be accepted.
 */
export const applyPolicies = async <Address extends Judged>(
  tx: Tx<NotificationsTables>,
  addresses: readonly Address[],
): Promise<(Address & { isFiltered: boolean })[]> => {
  const suspects = addresses.filter(({ reasons = [] }) => reasons.length > 0)
  if (suspects.length === 0) return addresses.map((address) => ({ ...address, isFiltered: false }))
  await holdBackPermissions(
    tx,
    suspects.map(({ recipientId }) => recipientId),
  )
  const policies = await policiesOf(tx, suspects)
  const choices = new Map(
    suspects.map((address, place) => {
      const policy = policies[place]
      return [address, policy ? choiceOf(policy, address.reasons ?? []) : 'accept'] as const
    }),
  )
  return addresses.flatMap((address) => {
    const choice = choices.get(address) ?? 'accept'
    return choice === 'drop' ? [] : [{ ...address, isFiltered: choice === 'filter' }]
  })
}
