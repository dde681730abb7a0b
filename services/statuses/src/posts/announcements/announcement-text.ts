import type { Database } from '@rookery/database'
import { hashtagsIn, renderStatus, tokenize } from '@rookery/markup'
import type { EmojiFinder } from '../../content/emojis/index.ts'
import { addressedBy, type MentionFinder } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { AnnouncementRow } from './announcement.store.ts'

/** What an announcement's text becomes. */
type AnnouncementWords = Pick<AnnouncementRow, 'text' | 'content' | 'mentionIds' | 'statusIds' | 'tags' | 'emojis'>

type Deps = { database: Database<StatusesTables>; findMentions: MentionFinder; findEmojis: EmojiFinder; baseUrl: string }

/** The statuses of this server that a text links to, each once, in order. */
const linkedStatuses = (text: string, baseUrl: string): string[] => [
  ...new Set(tokenize(text).flatMap((token) => (token.kind === 'url' ? (addressedBy(token.url, baseUrl)?.statusId ?? []) : []))),
]

/** Reads a text as that of a status is read: HTML, the people it mentions, tags, emojis; and the statuses of this server it links to. */
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
