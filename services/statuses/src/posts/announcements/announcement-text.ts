import type { Database } from '@rookery/database'
import { hashtagsIn, renderStatus, tokenize } from '@rookery/markup'
import type { EmojiFinder } from '../../content/emojis/index.ts'
import { addressedBy, type MentionFinder } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { AnnouncementRow } from './announcement.store.ts'

/** The fields derived from an announcement's text. */
type AnnouncementWords = Pick<AnnouncementRow, 'text' | 'content' | 'mentionIds' | 'statusIds' | 'tags' | 'emojis'>

type Deps = { database: Database<StatusesTables>; findMentions: MentionFinder; findEmojis: EmojiFinder; baseUrl: string }

/** The distinct local statuses that a text links to, in order. */
const linkedStatuses = (text: string, baseUrl: string): string[] => [
  ...new Set(tokenize(text).flatMap((token) => (token.kind === 'url' ? (addressedBy(token.url, baseUrl)?.statusId ?? []) : []))),
]

/** Renders a text like that of a status: HTML, mentions, tags, emojis, and linked local statuses. */
export const announcementWords =
  ({ findMentions, findEmojis, baseUrl }: Deps) =>
  async (text: string): Promise<AnnouncementWords> => {
    const [mentions, emojis] = await Promise.all([findMentions(text), findEmojis([text])])
    return {
      text,
      content: renderStatus(text, { baseUrl, domain: new URL(baseUrl).host, mentions }),
      mentionIds: [...mentions.values()].map(({ id }) => id),
      statusIds: linkedStatuses(text, baseUrl),
      tags: hashtagsIn(text).map(({ name }) => name),
      emojis,
    }
  }
