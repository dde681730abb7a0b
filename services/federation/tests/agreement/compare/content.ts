import type { Json } from '../cast.ts'
import type { Known, Walk } from '../walk.ts'
import { plain } from './differences.ts'

const names = (emojis: Json[]): string[] => emojis.map(({ shortcode }) => shortcode).sort()
const mediaOf = ({ type, description, meta, blurhash }: Json) => ({
  ...{ type, description: description ?? '', blurhash },
  ...{ focus: meta?.focus, width: meta?.original?.width },
})
const pollOf = ({ options, multiple, expired, expires_at, votes_count, voters_count, emojis }: Json) => ({
  ...{ options, multiple, expired, expires_at, votes_count, voters_count, emojis: names(emojis) },
})

/** The pages of those whose mentions may have been left out, because they were suspended at the server where they arrived. */
const hidden = ({ cast, hidden }: Walk): string[] =>
  [...hidden].map(({ side, person }) => `http://${cast.sides[side]!.host}/@${person.username}`)

/** What both servers say of a status, apart from its author, its place and its counts. */
const contentOf = (walk: Walk, status: Json) => ({
  ...{ content: plain(walk, status.content), visibility: status.visibility, spoiler_text: status.spoiler_text },
  ...{ language: status.language, sensitive: status.sensitive, url: status.url, edited_at: status.edited_at },
  // Sent to the second.
  created_at: status.created_at.slice(0, 19),
  media: status.media_attachments.map(mediaOf),
  poll: status.poll && pollOf(status.poll),
  emojis: names(status.emojis),
  tags: status.tags.map(({ name }: Json) => name).sort(),
  mentions: status.mentions
    .map(({ url }: Json) => url)
    .filter((url: string) => !hidden(walk).includes(url))
    .sort(),
  quote: status.quote?.state,
  quotable: status.quote_approval?.automatic,
})
type Content = ReturnType<typeof contentOf>

/** Whether the other server gets edits and the deletion: its people follow the author, or the status mentions or mentioned one of them. */
export const getsEdits = (walk: Walk, { author, mentioned }: Known): boolean =>
  author.isWatched || walk.cast.people.some(({ side, ids }) => side !== author.side && mentioned.has(ids[author.side]!))

const UNDECIDED = new Set(['pending', 'muted_account', 'blocked_account', 'blocked_domain'])

/** Properties of a status in which the servers may differ, by the limits of what is sent (docs/federation.md). */
const openIn = (walk: Walk, status: Known, home: Json, knows: (known: Known) => boolean): (keyof Content)[] => {
  const { author, quoted } = status
  return [
    // Staff of each server decide for it alone.
    ...(walk.judged.has(author) ? (['sensitive'] as const) : []),
    ...(walk.blocks.get(1 - author.side)?.rejectsMedia ? (['media', 'emojis', 'poll'] as const) : []),
    // Counts of votes are sent to followers.
    ...(author.isWatched ? [] : (['poll'] as const)),
    // The author of the quoted status cannot be asked, or the other server has not got it; or its author is hidden from who reads.
    ...(quoted && (UNDECIDED.has(home.quote?.state) || !knows(quoted)) ? (['quote', 'content'] as const) : []),
  ]
}

/** The content of a status at both servers, without what may differ; undefined if the copy may be from before an edit. */
export const contents = (
  walk: Walk,
  status: Known,
  { home, copy, knows }: { home: Json; copy: Json; knows: (known: Known) => boolean },
) => {
  if (home.edited_at && !getsEdits(walk, status)) return undefined
  const without = Object.fromEntries(openIn(walk, status, home, knows).map((name) => [name, undefined]))
  return { home: { ...contentOf(walk, home), ...without }, other: { ...contentOf(walk, copy), ...without } }
}
