import { loginsOf } from './accounts.ts'
import { operatorCall } from './servers.ts'
import { type Subcommand, textOf } from './subcommand.ts'

const acting = (given: { usage: string; summary: string; action: string; done: (ids: string) => string }): Subcommand => ({
  usage: given.usage,
  summary: given.summary,
  options: {
    '--text <text>': 'a text to the authors, for the mail and the log',
    '--mail': 'send the authors mail, and notify them in their apps',
  },
  async run(servers, typed) {
    const request = {
      statusIds: [...typed.operands],
      action: given.action,
      text: textOf(typed, 'text'),
      sendsMail: typed.options['mail'] === true,
    }
    const acted = await (await loginsOf(servers)).actOnStatuses(operatorCall(), request)
    return { lines: [given.done(acted.statusIds.join(', '))], json: acted }
  },
})

export const STATUS_COMMANDS: readonly Subcommand[] = [
  acting({
    usage: 'delete <id...>',
    summary: 'Deletes posts, with their files, for ever; posts of other servers are deleted here only and not read again.',
    action: 'delete_statuses',
    done: (ids) => `Deleted: ${ids}.`,
  }),
  acting({
    usage: 'mark-sensitive <id...>',
    summary: 'Marks posts as sensitive.',
    action: 'mark_statuses_as_sensitive',
    done: (ids) => `Marked as sensitive: ${ids}.`,
  }),
]
