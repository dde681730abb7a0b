import { ROLES, type RoleName } from '@rookery/contracts/permissions'
import { AccountBody, type Credentials } from '@rookery/contracts/statuses'
import { accountEntity } from './account.ts'
import type { Addresses } from './addresses.ts'

/** A role, and its permissions on this server. */
export type HeldRole = { name: RoleName; permissions: number }

/** Role (beyond-the-spec 1.1). */
export const roleEntity = ({ name, permissions }: HeldRole) => {
  const role = ROLES[name]
  return { id: role.id, name: role.name, permissions: String(permissions), color: role.color, highlighted: role.isHighlighted }
}

/** CredentialAccount (spec, Resources; beyond-the-spec 1.1): the account with what only its owner may see. */
export const credentialAccountEntity = (credentials: Credentials, role: HeldRole, urls: Addresses) => {
  if (!credentials.account) throw new Error('credentials without an account')
  const account = accountEntity(AccountBody.decode(credentials.account.body), urls)
  return {
    ...account,
    source: {
      privacy: credentials.privacy,
      sensitive: credentials.sensitive,
      language: credentials.language ?? null,
      note: credentials.note,
      fields: credentials.fields.map(({ name, value }, index) => ({
        name,
        value,
        verified_at: account.fields[index]?.verified_at ?? null,
      })),
      follow_requests_count: credentials.followRequestsCount,
      hide_collections: credentials.hideCollections ?? null,
      discoverable: credentials.discoverable ?? null,
      indexable: credentials.indexable,
      attribution_domains: credentials.attributionDomains,
      quote_policy: credentials.quotePolicy,
    },
    role: roleEntity(role),
  }
}
