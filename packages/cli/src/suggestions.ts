import { type StaffPick, SuggestionOperatorDefinition } from '@rookery/contracts/statuses'
import { operatorCall, type Servers } from './servers.ts'
import type { Subcommand } from './subcommand.ts'

const suggestionsOf = (servers: Servers) => servers.of('statuses', SuggestionOperatorDefinition)

const add: Subcommand = {
  usage: 'add <name>',
  summary: 'Suggests an account to everyone who does not follow it, before all others, as long as it wants to be found.',
  async run(servers, { operands }) {
    const pick: StaffPick = await (await suggestionsOf(servers)).pick(operatorCall(), { acct: operands[0] ?? '' })
    return { lines: [`${pick.username} is suggested to everyone.`], json: pick }
  },
}

const remove: Subcommand = {
  usage: 'remove <name>',
  summary: 'Suggests an account no more.',
  async run(servers, { operands }) {
    const pick: StaffPick = await (await suggestionsOf(servers)).unpick(operatorCall(), { acct: operands[0] ?? '' })
    return { lines: [`${pick.username} is no longer suggested to everyone.`], json: pick }
  },
}

const list: Subcommand = {
  usage: 'list',
  summary: 'Lists the accounts that are suggested to everyone, in their order.',
  async run(servers) {
    const { picks } = await (await suggestionsOf(servers)).listPicks(operatorCall(), {})
    return { lines: picks.map(({ username }) => username), json: picks }
  },
}

export const SUGGESTION_COMMANDS: readonly Subcommand[] = [add, remove, list]
