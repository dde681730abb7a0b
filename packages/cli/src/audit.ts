import type { StaffAct } from '@rookery/contracts/auth'
import { loginsOf } from './accounts.ts'
import { operatorCall } from './servers.ts'
import { type ParsedArguments, type Subcommand, textOf } from './subcommand.ts'

/** A text as a single line, without control characters. */
const onOneLine = (text: string) => text.replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ').trim()

const lineOf = ({
  id,
  staffId,
  staffUsername,
  action,
  accountId,
  username,
  target,
  text,
  reportId,
  createdAtMilliseconds,
}: StaffAct): string =>
  [
    id,
    new Date(createdAtMilliseconds).toISOString(),
    staffId ? staffUsername || staffId : 'operator',
    action,
    // For a deleted account, the log has the name it had.
    username || (target.startsWith('@') && onOneLine(target.slice(1))) || accountId || onOneLine(target),
    ...(reportId ? [`report ${reportId}`] : []),
    ...(text ? [onOneLine(text)] : []),
  ].join('  ')

/** A number with more digits is no id before the year 2450, and may exceed the range of ids. */
const ID = /^\d{1,18}$/
/** More than any page has. */
const MAX_LIMIT = 1_000_000

/** @throws Error if it is not an id */
const beforeOf = (typed: ParsedArguments): string | undefined => {
  const before = textOf(typed, 'before')
  if (before && !ID.test(before)) throw new Error('--before takes the id of an act.')
  return before || undefined
}

/** The maximum of acts; 0 if not given. @throws Error if it is not a positive number */
const limitOf = (typed: ParsedArguments): number => {
  const limit = textOf(typed, 'limit')
  if (limit && !/^0*[1-9]\d*$/.test(limit)) throw new Error('--limit takes a whole number above 0.')
  return Math.min(Number(limit), MAX_LIMIT)
}

const list: Subcommand = {
  usage: 'list',
  summary: 'Lists what staff and operators did, the latest first: who, what, on whom, when and with which text.',
  options: { '--before <id>': 'only what was done before this act', '--limit <count>': 'so many at most, 100 unless given' },
  async run(servers, typed) {
    const page = { maxId: beforeOf(typed), limit: limitOf(typed) }
    const { acts } = await (await loginsOf(servers)).listActs(operatorCall(), { page })
    return { lines: acts.length > 0 ? acts.map(lineOf) : ['No acts are on record.'], json: acts }
  },
}

export const AUDIT_COMMANDS: readonly Subcommand[] = [list]
