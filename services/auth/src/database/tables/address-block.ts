import type { Generated, Selectable } from 'kysely'

/** An e-mail domain that is blocked for sign-ups. */
export type EmailDomainBlockTable = { id: Generated<string>; domain: string; createdAt: Date }

/** Sign-ups refused by a block on a day, by network address. */
export type EmailDomainBlockUseTable = { blockId: string; day: string; address: string; uses: Generated<number> }

/** The severity of a block of a network. */
export type IpBlockSeverity = 'sign_up_requires_approval' | 'sign_up_block' | 'no_access'

/** A blocked network; `network` in the notation of Postgres. */
export type IpBlockTable = {
  id: Generated<string>
  network: string
  severity: IpBlockSeverity
  comment: Generated<string>
  createdAt: Date
  expiresAt: Date | null
}

/** A mailbox that is blocked for sign-ups: the SHA-256 of its canonical address, in hex. */
export type CanonicalEmailBlockTable = { id: Generated<string>; hash: string }

export type EmailDomainBlockRow = Selectable<EmailDomainBlockTable>
export type IpBlockRow = Selectable<IpBlockTable>
