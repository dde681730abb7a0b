import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { mentionable, originOf } from './mentionable.predicates.ts'
import type { Mentionable, Naming } from './named-people.ts'

/** Reads the accounts that a text mentions and that are known here. */
export const readMentionable = prepared(
  'text.mentionable',
  (naming: Naming) => sql<Mentionable>`select id, username, ${originOf('m')} origin from (${mentionable(naming)}) m`,
)
