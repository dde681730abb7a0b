import type { Generated, Selectable } from 'kysely'

/** A provider of e-mail addresses with which no one signs up. */
export type EmailDomainBlockTable = { id: Generated<string>; domain: string; createdAt: Date }

/** Sign-ups that a block refused on a day, by the network address they came from. */
export type EmailDomainBlockUseTable = { blockId: string; day: string; address: string; uses: Generated<number> }

/** What a network may not do here. */
export type IpBlockSeverity = 'sign_up_requires_approval' | 'sign_up_block' | 'no_access'

/** A network, as Postgres writes one. */
export type IpBlockTable = {
  id: Generated<string>
  network: string
  severity: IpBlockSeverity
  comment: Generated<string>
  createdAt: Date
  expiresAt: Date | null
}

/** A mailbox with which no one signs up: the SHA-256 of its address in one spelling for all, in hexadecimal digits. */
export type CanonicalEmailBlockTable = { id: Generated<string>; hash: string }

export type EmailDomainBlockRow = Selectable<EmailDomainBlockTable>
export type IpBlockRow = Selectable<IpBlockTable>
