import type { StaffAct } from '@rookery/contracts/auth'
import { loginsOf } from './accounts.ts'
import { operatorCall } from './servers.ts'
import { type Subcommand, textOf } from './subcommand.ts'

/** A text as one line of a terminal, without what would steer it. */
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
    username || accountId || onOneLine(target),
    ...(reportId ? [`report ${reportId}`] : []),
    ...(text ? [onOneLine(text)] : []),
  ].join('  ')

const list: Subcommand = {
  usage: 'list',
  summary: 'Lists what staff and operators did, the latest first: who, what, on whom, when and with which text.',
  options: { '--before <id>': 'only what was done before this act', '--limit <count>': 'so many at most, 100 unless given' },
  async run(servers, typed) {
    const page = { maxId: textOf(typed, 'before') || undefined, limit: Number(textOf(typed, 'limit')) || 0 }
    const { acts } = await (await loginsOf(servers)).listActs(operatorCall(), { page })
    return { lines: acts.length > 0 ? acts.map(lineOf) : ['No acts are on record.'], json: acts }
  },
}

export const AUDIT_COMMANDS: readonly Subcommand[] = [list]
