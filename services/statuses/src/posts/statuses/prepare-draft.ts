import type { PublishRequest } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { Failure, invalid, notAllowed, orNotFound } from '@rookery/failures'
import { hashtagsIn } from '@rookery/markup'
import type { Clock } from '@rookery/runtime'
import type { EmojiFinder } from '../../content/emojis/index.ts'
import { chooseLanguage, languageCode, NO_NAMING, namingOf } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { pollFaults } from '../polls/index.ts'
import { type Draft, draftOf } from './draft.rules.ts'
import { keysSince } from './idempotency-key-reservations.ts'
import { prepare } from './publish-status.store.ts'
import { quotesAnother, textFaults, wording } from './status.rules.ts'

type Deps = { database: Database<StatusesTables>; findEmojis: EmojiFinder; clock: Clock; baseUrl: string }

/** The stored form of a request's key, and faults found outside its content, in the contract's words. */
type Aside = { key?: string | null; faults?: readonly string[] }

/** Validates a request. Returns the draft, or the id that its key already created. */
type PrepareDraft = (request: PublishRequest, aside?: Aside) => Promise<Draft | string>

/**
 * The rules of posting, for immediate and scheduled statuses (beyond-the-spec 1.4, 1.10).
 * @throws Failure invalid in the contract's words; not_found for a parent the author cannot see or a status they may not quote; forbidden for an
 * author who moved
 */
export const draftPreparer = (deps: Deps): PrepareDraft => {
  const { database } = deps
  const place = { baseUrl: deps.baseUrl, domain: new URL(deps.baseUrl).host }
  return async (request, { key = null, faults: others = [] } = {}) => {
    const words = wording(request, quotesAnother(request))
    const faults = [...faultsOf(request, words), ...others]
    const now = deps.clock.now()
    const { authorId, inReplyToId, quotedStatusId } = request
    const asked = {
      authorId,
      parentId: inReplyToId || null,
      quotedId: quotedStatusId || null,
      now: new Date(now),
      key,
      keysSince: keysSince(now),
    }
    const named = faults.length > 0 ? NOTHING_NAMED : namedIn(words.text, place.domain)
    const prepared = orNotFound((await prepare(database, { ...asked, ...named }))[0])
    const { madeByKey, hasMoved, parent, defaultLanguage: preference, locale } = prepared
    if (madeByKey) return madeByKey
    if (hasMoved) throw notAllowed(`${authorId} has moved`)
    if (faults.length > 0) throw invalid(...faults)
    refuseImpossible(request, { maySeeParent: parent?.maySee === true })
    const emojis = await deps.findEmojis([words.spoilerText, words.text, ...(request.poll?.options ?? [])])
    const language = await chooseLanguage({ given: languageCode(request.language), preference, text: words.text, locale })
    return draftOf(request, prepared, { ...place, emojis, language, now })
  }
}

/** @throws Failure invalid for files beside a poll, not_found for a parent the author cannot see */
const refuseImpossible = ({ poll, mediaIds, inReplyToId }: PublishRequest, { maySeeParent }: { maySeeParent: boolean }): void => {
  // A poll excludes attachments (beyond-the-spec 1.10); the message is upstream's.
  if (poll && mediaIds.length > 0) throw new Failure('invalid', 'Cannot attach more than 4 files')
  if (inReplyToId && !maySeeParent) throw new Failure('not_found', 'The post you are trying to reply to does not appear to exist.')
}

const NOTHING_NAMED = { ...NO_NAMING, tags: [] }

/** The mentions and tags in a text. */
const namedIn = (text: string, domain: string) => ({ ...namingOf(text, domain), tags: hashtagsIn(text).map(({ name }) => name) })

/** The faults of a request, in the contract's words. */
const faultsOf = (request: PublishRequest, words: ReturnType<typeof wording>): string[] => [
  ...textFaults(words, request.mediaIds.length > 0 || quotesAnother(request)),
  ...(request.poll ? pollFaults(request.poll) : []),
]
