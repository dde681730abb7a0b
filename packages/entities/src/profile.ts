import { AccountBody, type Credentials } from '@rookery/contracts/statuses'
import { verifiedAt } from './account.ts'

/** Profile (beyond-the-spec 2.2): the profile's source, for editing; pictures that were never set are null. */
export const profileEntity = (credentials: Credentials) => {
  if (!credentials.account) throw new Error('credentials without an account')
  const account = AccountBody.decode(credentials.account.body)
  return {
    id: account.id,
    display_name: account.displayName,
    note: credentials.note,
    fields: credentials.fields.map(({ name, value }, index) => ({
      name,
      value,
      verified_at: verifiedAt(account.fields[index]?.verifiedAtMilliseconds),
    })),
    avatar: account.avatarUrl || null,
    avatar_static: account.avatarStaticUrl || account.avatarUrl || null,
    header: account.headerUrl || null,
    header_static: account.headerStaticUrl || account.headerUrl || null,
    locked: account.locked,
    bot: account.bot,
    hide_collections: credentials.hideCollections ?? null,
    discoverable: credentials.discoverable ?? null,
    indexable: credentials.indexable,
    show_media: credentials.showMedia,
    show_media_replies: credentials.showMediaReplies,
    show_featured: credentials.showFeatured,
    attribution_domains: credentials.attributionDomains,
  }
}
