import type { NotificationDetail } from '@rookery/contracts/common'
import type { PolicyReason } from '../policy/index.ts'

/** An account to be notified of an interaction. */
export type Address = {
  readonly recipientId: string
  readonly type: string
  readonly actorId: string
  readonly statusId: string | undefined
  readonly reportId?: string | undefined
  readonly detail?: NotificationDetail | undefined
  /** Milliseconds since 1970. */
  readonly addressedAt: number
  /** The tests of the recipient's policy that it fails. */
  readonly reasons?: readonly PolicyReason[]
}

/** Undoes notifications; an omitted field matches everything. */
export type Withdrawal = { readonly [Part in 'recipientId' | 'type' | 'actorId' | 'statusId']?: string | undefined }

/** A change to inboxes. */
export type Change = { readonly address: Address } | { readonly withdrawal: Withdrawal }

const isWithdrawn = (address: Address, by: Withdrawal): boolean =>
  (by.recipientId === undefined || by.recipientId === address.recipientId) &&
  (by.type === undefined || by.type === address.type) &&
  (by.actorId === undefined || by.actorId === address.actorId) &&
  (by.statusId === undefined || by.statusId === address.statusId)

/**
 * Splits changes into two sets that give the same inbox when all withdrawals are applied first: an address stays unless a later change
 * withdraws it.
 */
export const netChanges = (changes: readonly Change[]): { withdrawals: Withdrawal[]; addresses: Address[] } => {
  const withdrawals: Withdrawal[] = []
  const addresses: Address[] = []
  for (const change of changes.toReversed()) {
    if ('withdrawal' in change) withdrawals.push(change.withdrawal)
    else if (!withdrawals.some((withdrawal) => isWithdrawn(change.address, withdrawal))) addresses.push(change.address)
  }
  return { withdrawals, addresses: addresses.reverse() }
}
