import type { InstanceCard } from '@rookery/contracts/federation'
import { LIMITS } from '@rookery/contracts/limits'
import { ruleEntity, timestamp, wholeSecond } from '@rookery/entities'
import type { Clients } from '../clients.ts'
import { Public, PublicUnless, type Restriction, User } from '../http/access.ts'
import { endpoint, Reply } from '../http/endpoint.ts'
import { form, text } from '../http/fields.ts'
import { iconsOf, thumbnailOf } from '../server-pictures.ts'
import { API_VERSIONS, VERSION } from '../version.ts'
import { activePeople } from './active-people.ts'

const statusLimits = {
  max_characters: LIMITS.statuses.maxCharacters,
  max_media_attachments: LIMITS.statuses.maxMediaAttachments,
  characters_reserved_per_url: LIMITS.statuses.charactersReservedPerUrl,
}

const mediaLimits = {
  description_limit: LIMITS.media.descriptionLength,
  image_size_limit: LIMITS.media.imageBytes,
  image_matrix_limit: LIMITS.media.imagePixels,
  video_size_limit: LIMITS.media.motionBytes,
  video_frame_rate_limit: LIMITS.media.motionFramesPerSecond,
  video_matrix_limit: LIMITS.media.motionPixels,
}

const pollLimits = {
  max_options: LIMITS.polls.maxOptions,
  max_characters_per_option: LIMITS.polls.maxCharactersPerOption,
  min_expiration: LIMITS.polls.minExpirationSeconds,
  max_expiration: LIMITS.polls.maxExpirationSeconds,
}

const accountLimits = {
  max_featured_tags: LIMITS.accounts.maxFeaturedTags,
  max_pinned_statuses: LIMITS.accounts.maxPinnedStatuses,
  max_profile_fields: LIMITS.accounts.maxProfileFields,
  profile_field_name_limit: LIMITS.accounts.profileFieldNameLength,
  profile_field_value_limit: LIMITS.accounts.profileFieldValueLength,
}

/** The limits common to both instance documents. */
const limitsOf = (acceptedTypes: readonly string[]) => ({
  accounts: accountLimits,
  statuses: statusLimits,
  media_attachments: { supported_mime_types: acceptedTypes, ...mediaLimits },
  polls: pollLimits,
})

/** Who may read public timelines (beyond-the-spec 1.2). */
const timelinesAccess = (restrictions: ReadonlySet<Restriction>) => {
  const access = restrictions.has('no public preview') ? 'authenticated' : 'public'
  const feeds = { local: access, remote: access }
  return { live_feeds: feeds, hashtag_feeds: feeds, trending_link_feeds: feeds }
}

const contactAccount = (card: InstanceCard, { render }: Clients) =>
  card.contactAccount ? JSON.parse(render.account(card.contactAccount).toString()) : null

export const readInstance = endpoint({
  method: 'GET',
  path: '/api/v2/instance',
  access: Public(),
  summary: 'The server’s description and limits.',
  handle: async ({ call }, clients) => {
    const [card, types, vapidKey] = await Promise.all([clients.instance.read(call, {}), clients.accepted(call), clients.vapidKey(call)])
    const active = await activePeople(call, card, clients)
    const { config } = clients
    return {
      domain: new URL(config.baseUrl).host,
      title: card.title,
      version: VERSION,
      api_versions: API_VERSIONS,
      source_url: config.sourceUrl,
      description: card.shortDescription || card.description,
      usage: { users: { active_month: active.month } },
      thumbnail: thumbnailOf(config.baseUrl, card),
      icon: iconsOf(config.baseUrl, card).map(({ src, size }) => ({ src, size })),
      languages: card.languages,
      configuration: {
        urls: {
          streaming: config.streamingUrl,
          status: null,
          about: `${config.baseUrl}/about`,
          privacy_policy: `${config.baseUrl}/privacy-policy`,
          terms_of_service: card.hasTerms ? `${config.baseUrl}/terms-of-service` : null,
        },
        ...limitsOf(types),
        ...(vapidKey !== undefined && { vapid: { public_key: vapidKey } }),
        translation: { enabled: config.hasTranslation },
        timelines_access: timelinesAccess(config.restrictions),
        limited_federation: config.restrictions.has('limited federation'),
      },
      registrations: {
        enabled: config.registrations !== 'closed',
        approval_required: config.registrations === 'approval',
        reason_required: config.registrations === 'approval',
        message: null,
        min_age: null,
        url: null,
      },
      contact: { email: card.contactEmail, account: contactAccount(card, clients) },
      rules: card.rules.map(ruleEntity),
    }
  },
})

export const readInstanceV1 = endpoint({
  method: 'GET',
  path: '/api/v1/instance',
  access: PublicUnless('limited federation', User()),
  summary: 'The server’s description and limits (deprecated).',
  handle: async ({ call }, clients) => {
    const [card, types] = await Promise.all([clients.instance.read(call, {}), clients.accepted(call)])
    const { config } = clients
    return {
      uri: new URL(config.baseUrl).host,
      title: card.title,
      short_description: card.shortDescription,
      description: card.description || card.shortDescription,
      email: card.contactEmail,
      version: VERSION,
      urls: { streaming_api: config.streamingUrl },
      stats: { user_count: card.people, status_count: card.statuses, domain_count: card.peers },
      thumbnail: thumbnailOf(config.baseUrl, card).url,
      languages: card.languages,
      registrations: config.registrations !== 'closed',
      approval_required: config.registrations === 'approval',
      invites_enabled: config.inviters === 'everyone',
      max_toot_chars: LIMITS.statuses.maxCharacters,
      configuration: limitsOf(types),
      contact_account: contactAccount(card, clients),
      rules: card.rules.map(ruleEntity),
    }
  },
})

export const readRules = endpoint({
  method: 'GET',
  path: '/api/v1/instance/rules',
  access: Public(),
  summary: 'The rules of this server.',
  handle: async ({ call }, { instance }) => (await instance.readRules(call, {})).rules.map(ruleEntity),
})

export const readExtendedDescription = endpoint({
  method: 'GET',
  path: '/api/v1/instance/extended_description',
  access: Public(),
  summary: 'The server’s long description.',
  handle: async ({ call }, { instance }) => {
    const { updatedAtMilliseconds, content } = await instance.readExtendedDescription(call, {})
    return { updated_at: updatedAtMilliseconds === undefined ? null : timestamp(updatedAtMilliseconds), content }
  },
})

export const readPrivacyPolicy = endpoint({
  method: 'GET',
  path: '/api/v1/instance/privacy_policy',
  access: Public(),
  summary: 'The privacy policy of this server.',
  handle: async ({ call }, { instance }) => {
    const { updatedAtMilliseconds, content } = await instance.readPrivacyPolicy(call, {})
    return { updated_at: wholeSecond(updatedAtMilliseconds), content }
  },
})

const terms = (path: string, summary: string) =>
  endpoint({
    method: 'GET',
    path: `/api/v1/instance/${path}`,
    access: Public(),
    summary,
    handle: async ({ call, params }, { instance }) => {
      const found = await instance.readTerms(call, { effectiveOn: params['date'] ?? '' })
      return {
        effective_date: found.effectiveOn,
        effective: found.isEffective,
        content: found.content,
        succeeded_by: found.succeededBy ?? null,
      }
    },
  })

export const readTermsOfService = terms('terms_of_service', 'The terms of service that hold, where the server has any.')
export const readTermsOfServiceOf = terms('terms_of_service/:date', 'The terms of service that hold from a day on.')

/** Maximum domains returned by a search (beyond-the-spec 2.5). */
const MAX_PEERS_FOUND = 10

export const searchPeers = endpoint({
  method: 'GET',
  path: '/api/v1/peers/search',
  access: PublicUnless('limited federation', User()),
  summary: 'Domains this server knows that begin with a text, or have a part that does.',
  input: form({ q: text() }),
  handle: async ({ call, input }, { instance }) => {
    const wanted = (input.q ?? '').trim().toLowerCase()
    if (wanted === '') return []
    return (await instance.searchPeers(call, { text: wanted, limit: MAX_PEERS_FOUND })).domains
  },
})

export const readPeers = endpoint({
  method: 'GET',
  path: '/api/v1/instance/peers',
  access: PublicUnless('limited federation', User()),
  summary: 'Domains this server knows.',
  handle: async ({ call }, { instance }) => (await instance.readPeers(call, {})).domains,
})

/** The contract requires an empty body if blocks are shown to no one. */
const NOTHING = Buffer.alloc(0)

export const readDomainBlocks = endpoint({
  method: 'GET',
  path: '/api/v1/instance/domain_blocks',
  access: PublicUnless('domain blocks for users', User()),
  summary: 'Domains this server blocks, as published.',
  handle: async ({ call }, { instance, config }) =>
    config.showsDomainBlocks ? (await instance.readDomainBlocks(call, {})).blocks : new Reply(NOTHING, { status: 404 }),
})

const WEEK = 7 * 24 * 3600
const WEEKS = 12

/** The start of a time's week, midnight on Monday, in UNIX seconds. 1970 began on a Thursday. */
const weekOf = (seconds: number) => Math.floor((seconds - 4 * 24 * 3600) / WEEK) * WEEK + 4 * 24 * 3600

export const readActivity = endpoint({
  method: 'GET',
  path: '/api/v1/instance/activity',
  access: PublicUnless('limited federation', User()),
  summary: 'Statuses, logins and registrations by week, latest first, over three months.',
  handle: async ({ call }, { discovery, registrations, clock }) => {
    const thisWeek = weekOf(clock.now() / 1000)
    const since = thisWeek - (WEEKS - 1) * WEEK
    const [counts, activity] = await Promise.all([
      discovery.readFigures(call, { weeksSinceSeconds: since }),
      registrations.readActivity(call, { sinceSeconds: since }),
    ])
    const statuses = new Map(counts.weeks.map((week) => [week.weekSeconds, week.statuses]))
    const people = new Map(activity.weeks.map((week) => [week.weekSeconds, week]))
    return Array.from({ length: WEEKS }, (_, index) => {
      const week = thisWeek - index * WEEK
      return {
        week: String(week),
        statuses: String(statuses.get(week) ?? 0),
        logins: String(people.get(week)?.logins ?? 0),
        registrations: String(people.get(week)?.registrations ?? 0),
      }
    })
  },
})
