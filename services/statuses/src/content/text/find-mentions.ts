import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { readMentionable } from './find-mentions.store.ts'
import { mentionsOf, namingOf } from './named-people.ts'

/** The accounts that a text mentions, keyed as rendering looks them up: local ones by username, remote ones by handle, in lower case. */
export type MentionFinder = (text: string) => Promise<Map<string, { id: string; username: string; url?: string }>>

/** Finds the mentioned accounts with one statement; with none if the text mentions no one. */
export const mentionFinder = ({ database, domain }: { database: Database<StatusesTables>; domain: string }): MentionFinder => {
  return async (text) => {
    const naming = namingOf(text, domain)
    if (naming.handles.length === 0) return new Map()
    return mentionsOf(text, await readMentionable(database, naming), domain)
  }
}
