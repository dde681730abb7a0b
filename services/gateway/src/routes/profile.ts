import { UpdateAccountRequest } from '@rookery/contracts/statuses'
import { profileEntity } from '@rookery/entities'
import type { z } from 'zod'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { type Context, endpoint } from '../http/endpoint.ts'
import { flag, form, givenTexts, hash, hashList, text } from '../http/fields.ts'
import { roleOf } from './role.ts'
import { uploadPicture } from './upload.ts'

const fieldInput = form({ name: text(), value: text() })

const fieldPairs = (fields: Record<string, unknown>[] | undefined) =>
  fields?.map((field) => {
    const { name = '', value = '' } = fieldInput.parse(field)
    return { name, value }
  })

const sourceInput = form({ privacy: text(), sensitive: flag(), language: text(), quote_policy: text() })
const updateInput = form({
  display_name: text(),
  note: text(),
  locked: flag(),
  bot: flag(),
  discoverable: flag(),
  indexable: flag(),
  hide_collections: flag(),
  fields_attributes: hashList(),
  attribution_domains: givenTexts(),
  source: hash(),
  show_media: flag(),
  show_media_replies: flag(),
  show_featured: flag(),
})

const change = async ({ call, input, files, viewerId }: Context<z.output<typeof updateInput>>, clients: Clients) => {
  const source = sourceInput.parse(input.source ?? {})
  const avatar = files.get('avatar')
  const header = files.get('header')
  const domains = input.attribution_domains
  const fields = fieldPairs(input.fields_attributes)
  return clients.accounts.update(call, {
    accountId: viewerId,
    displayName: input.display_name,
    note: input.note,
    locked: input.locked,
    bot: input.bot,
    discoverable: input.discoverable,
    indexable: input.indexable,
    hideCollections: input.hide_collections,
    fields: fields && { fields },
    privacy: source.privacy,
    sensitive: source.sensitive,
    language: source.language,
    quotePolicy: source.quote_policy,
    attributionDomains: domains && { domains },
    showMedia: input.show_media,
    showMediaReplies: input.show_media_replies,
    showFeatured: input.show_featured,
    avatarMediaId: avatar && (await uploadPicture(call, { file: avatar, ownerId: viewerId, kind: 'avatar' }, clients)),
    headerMediaId: header && (await uploadPicture(call, { file: header, ownerId: viewerId, kind: 'header' }, clients)),
  })
}

export const updateCredentials = endpoint({
  method: 'PATCH',
  path: '/api/v1/accounts/update_credentials',
  access: User('write:accounts'),
  summary: "Changes one's own profile; omitted fields stay.",
  input: updateInput,
  files: ['avatar', 'header'],
  handle: async (context, clients) => clients.render.credentials(await change(context, clients), roleOf(context.holder)),
})

export const readProfile = endpoint({
  method: 'GET',
  path: '/api/v1/profile',
  access: User('read:accounts', 'profile'),
  summary: "One's own profile as one edits it.",
  handle: async ({ call, viewerId }, { accounts }) => profileEntity(await accounts.readCredentials(call, { accountId: viewerId })),
})

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/api/v1/profile',
  access: User('write:accounts'),
  summary: "Changes one's own profile and returns its editable form.",
  input: updateInput,
  files: ['avatar', 'header'],
  handle: async (context, clients) => profileEntity(await change(context, clients)),
})

const removal = (path: string, summary: string, removed: Partial<UpdateAccountRequest>) =>
  endpoint({
    method: 'DELETE',
    path,
    access: User('write:accounts'),
    summary,
    handle: async ({ call, viewerId, holder }, { accounts, render }) => {
      const updated = await accounts.update(call, UpdateAccountRequest.fromPartial({ ...removed, accountId: viewerId }))
      return render.credentials(updated, roleOf(holder))
    },
  })

export const removeAvatar = removal('/api/v1/profile/avatar', "Removes one's avatar, if any.", { removeAvatar: true })
export const removeHeader = removal('/api/v1/profile/header', "Removes one's header, if any.", { removeHeader: true })
