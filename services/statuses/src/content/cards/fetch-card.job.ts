import type { AttachmentsDefinition } from '@rookery/contracts/media'
import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import { type Job, job } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { FetchError, type GuardedFetch } from '@rookery/ssrf-safe-fetch'
import type { StatusesTables } from '../../database/schema.ts'
import { bumpCardStatuses } from './bump-card-statuses.job.ts'
import { previewPictureDiscarded, previewPictureKept } from './card.events.ts'
import type { CardDraft } from './card.rules.ts'
import { CardReader, CardWriter, type KnownPage } from './card.store.ts'
import { FETCH_CARD, type FetchCard, fetchPage } from './fetch-page.ts'
import { cardFinder } from './find-card.ts'
import { type KeptPicture, pictureKeeper } from './store-picture.ts'

type Deps = {
  database: Database<StatusesTables>
  outbox: Outbox
  clock: Clock
  ids: Ids
  attachments: Client<typeof AttachmentsDefinition>
  fetchGuarded: GuardedFetch
  baseUrl: string
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Delays before a retry after a temporary failure, by the number of failures before, in milliseconds. */
const WAITS = [MINUTE, 10 * MINUTE]
/** The delay after the last retry, in milliseconds. */
const GIVEN_UP = DAY
/** TTL of a result, whether a card or none, in milliseconds. */
const HOLDS = 14 * DAY

/** The result of a fetch: a card, no card, or a temporary failure. */
type Outcome = { draft: CardDraft; picture: KeptPicture | undefined } | 'nothing' | 'failed'

const cardWith = ({ card }: CardDraft, picture: KeptPicture | undefined) => {
  if (!picture) return { ...card, type: card.type === 'photo' ? ('link' as const) : card.type, image_description: '' }
  const { url, blurhash, original } = picture.attachment
  const shape = card.html ? {} : { width: original?.width ?? 0, height: original?.height ?? 0 }
  return { ...card, ...shape, image_url: url, blurhash }
}

/**
 * Fetches a linked page, once per round however many statuses link to it, and has them show the result. Nothing is fetched within a transaction. A
 * card stays if later fetches fail.
 */
export const fetchCardJob = (deps: Deps): Job => {
  const { database, outbox, clock } = deps
  const findCard = cardFinder(deps)
  const storePicture = pictureKeeper(deps)

  const outcomeOf = async (url: string): Promise<Outcome> => {
    try {
      const draft = await findCard(url)
      if (!draft) return 'nothing'
      return { draft, picture: draft.pictureUrl ? await storePicture(draft.pictureUrl) : undefined }
    } catch (error) {
      if (error instanceof FetchError) return 'failed'
      throw error
    }
  }

  const again = async (tx: Tx<StatusesTables>, page: KnownPage, now: number) => {
    const wait = WAITS[page.failures]
    const dueAt = new Date(now + (wait ?? GIVEN_UP))
    await new CardWriter(tx).finish(page.digest, { failures: wait ? page.failures + 1 : 0, askedAt: new Date(now), dueAt })
    if (wait) await fetchPage(tx, { ...page, round: page.round + 1 }, dueAt)
  }

  const keep = async (tx: Tx<StatusesTables>, page: KnownPage, { draft, picture }: Exclude<Outcome, string>) => {
    await new CardWriter(tx).keep(page.digest, cardWith(draft, picture), picture?.subjectId ?? null)
    await bumpCardStatuses(tx, page.digest)
    await outbox.append(tx, [
      ...(picture ? [previewPictureKept(picture.subjectId)] : []),
      ...(page.pictureSubjectId ? [previewPictureDiscarded(page.pictureSubjectId)] : []),
    ])
  }

  return job<FetchCard>({
    name: FETCH_CARD,
    lane: 'pages',
    async run({ digest, round }) {
      const wanted = await new CardReader(database.db).wanted(digest, round)
      if (!wanted) return
      const outcome = await outcomeOf(wanted.url)
      await transact(database.db, async (tx) => {
        const writer = new CardWriter(tx)
        const page = await writer.holdRound(digest, round)
        if (!page) return
        const now = clock.now()
        if (outcome === 'failed') return again(tx, page, now)
        await writer.finish(digest, { failures: 0, askedAt: new Date(now), dueAt: new Date(now + HOLDS) })
        if (outcome !== 'nothing') await keep(tx, page, outcome)
      })
    },
  })
}
