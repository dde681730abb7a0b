import { DELETION_DAYS } from '@rookery/contracts/limits'
import type { DeletionPolicy } from '@rookery/contracts/statuses'
import { type Language, settingsName } from '@rookery/pages'
import type { SignedInPage } from '../../admin/page.ts'
import { formPart } from '../../admin/parts.ts'
import { read } from '../../admin/visit.ts'
import { User } from '../../http/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { flag, form, integer, wholeNumber } from '../../http/fields.ts'
import { SETTINGS_TEXTS } from '../texts/index.ts'

// The client API has no endpoints for this, so these are on no public route.

const PATH = '/settings/old_posts'

const readPolicy = endpoint({
  method: 'GET',
  path: PATH,
  access: User('read:accounts'),
  summary: 'Whether one’s old posts are deleted, and which stay.',
  handle: ({ call, viewerId }, { automaticDeletion }) => automaticDeletion.read(call, { accountId: viewerId }),
})

const changePolicy = endpoint({
  method: 'PUT',
  path: PATH,
  access: User('write:accounts'),
  summary: 'Changes whether one’s old posts are deleted, and which stay.',
  input: form({
    is_on: flag(),
    days: integer(),
    keep_direct: flag(),
    keep_pinned: flag(),
    keep_polls: flag(),
    keep_media: flag(),
    keep_favourited: flag(),
    keep_bookmarked: flag(),
    min_favourites: wholeNumber('Min favourites'),
    min_boosts: wholeNumber('Min boosts'),
  }),
  handle: ({ call, input, viewerId }, { automaticDeletion }) => {
    const policy: DeletionPolicy = {
      isOn: input.is_on ?? false,
      days: input.days ?? 0,
      keepDirect: input.keep_direct ?? false,
      keepPinned: input.keep_pinned ?? false,
      keepPolls: input.keep_polls ?? false,
      keepMedia: input.keep_media ?? false,
      keepFavourited: input.keep_favourited ?? false,
      keepBookmarked: input.keep_bookmarked ?? false,
      minFavourites: input.min_favourites,
      minBoosts: input.min_boosts,
    }
    return automaticDeletion.change(call, { accountId: viewerId, policy })
  },
})

/** An age in days, in the largest unit that fits. */
const ageText = (days: number, language: Language): string => {
  const [unit, length] = days < 30 ? (['day', 1] as const) : days < 365 ? (['month', 30] as const) : (['year', 365] as const)
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.round(days / length))
}

const numberText = (count: number | undefined): string => (count === undefined ? '' : String(count))

/** GET /settings/old_posts: the automatic deletion of one's own old posts. */
export const oldPostsPage: SignedInPage = {
  path: PATH,
  section: 'oldPosts',
  access: readPolicy.access,
  async read(visit) {
    const policy = await read<DeletionPolicy>(visit, readPolicy)
    const { oldPosts: texts } = SETTINGS_TEXTS[visit.language]
    const check = (name: 'is_on' | `keep_${'direct' | 'pinned' | 'polls' | 'media' | 'favourited' | 'bookmarked'}`, isOn: boolean) =>
      ({ name, label: texts[name], kind: 'check', value: String(isOn) }) as const
    const count = (name: 'min_favourites' | 'min_boosts', value: number | undefined) =>
      ({ name, label: texts[name], hint: texts.countHint, kind: 'number', value: numberText(value) }) as const
    return {
      title: settingsName(visit.language, 'oldPosts'),
      lead: texts.lead,
      body: formPart(visit, {
        form: 'change',
        fields: [
          check('is_on', policy.isOn),
          {
            name: 'days',
            label: texts.days,
            kind: 'choice',
            value: String(policy.days),
            options: DELETION_DAYS.map((days) => [String(days), ageText(days, visit.language)]),
          },
          check('keep_direct', policy.keepDirect),
          check('keep_pinned', policy.keepPinned),
          check('keep_polls', policy.keepPolls),
          check('keep_media', policy.keepMedia),
          check('keep_favourited', policy.keepFavourited),
          check('keep_bookmarked', policy.keepBookmarked),
          count('min_favourites', policy.minFavourites),
          count('min_boosts', policy.minBoosts),
        ],
        buttons: [{ label: visit.texts.save }],
      }),
    }
  },
  forms: { change: { endpoint: changePolicy, done: 'changed' } },
}
