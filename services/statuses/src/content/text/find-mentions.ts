import type { Database } from '@rookery/database'
import { mentionsIn } from '@rookery/markup'
import type { StatusesTables } from '../../database/schema.ts'
import { readMentionable } from './find-mentions.store.ts'

/** The people of this server a text mentions, by lower-case username. */
export type MentionFinder = (text: string) => Promise<Map<string, { id: string; username: string }>>

/** Usernames of this server a text mentions, lower-case, each once. */
export const localMentions = (text: string, domain: string): string[] => [
  ...new Set(
    mentionsIn(text)
      .filter((mention) => mention.domain === undefined || mention.domain.toLowerCase() === domain)
      .map((mention) => mention.username.toLowerCase()),
  ),
]

/** Finds them with one statement; with none when the text mentions no one. */
export const mentionFinder = (given: { database: Database<StatusesTables>; domain: string }): MentionFinder => {
  return async (text) => {
    const usernames = localMentions(text, given.domain)
    if (usernames.length === 0) return new Map()
    const rows = await readMentionable(given.database, { usernames })
    return new Map(rows.map((row) => [row.username.toLowerCase(), row]))
  }
}
