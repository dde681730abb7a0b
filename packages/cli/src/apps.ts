import { type StaffApp, StaffAppsDefinition } from '@rookery/contracts/auth'
import { everyRecord } from './every-record.ts'
import { operatorCall, type Servers } from './servers.ts'
import { type Subcommand, textOf } from './subcommand.ts'

const appsOf = (servers: Servers) => servers.of('auth', StaffAppsDefinition)

const lineOf = ({ id, createdAtMilliseconds, tokens, hasMoreTokens, scopes, name, website }: StaffApp): string =>
  [id, new Date(createdAtMilliseconds).toISOString(), `${tokens}${hasMoreTokens ? '+' : ''}`, scopes.join(' '), name, website].join('\t')

const list: Subcommand = {
  usage: 'list',
  summary: 'Lists the apps that are registered, the latest first: id, time, living tokens, scopes, name, website.',
  options: { '--query <text>': 'only those with this in their name or website' },
  async run(servers, typed) {
    const client = await appsOf(servers)
    const apps = await everyRecord(async (page) => {
      const { apps: records, cursors } = await client.list(operatorCall(), { page, query: textOf(typed, 'query') })
      return { records, cursors }
    })
    return { lines: apps.length > 0 ? apps.map(lineOf) : ['No apps are registered.'], json: apps }
  },
}

const remove: Subcommand = {
  usage: 'remove <id>',
  summary: 'Removes an app; its tokens and grants end at once.',
  async run(servers, { operands: [id = ''] }) {
    const app = await (await appsOf(servers)).remove(operatorCall(), { id, staffId: '' })
    return { lines: [`${app.name} is removed.`], json: app }
  },
}

export const APP_COMMANDS: readonly Subcommand[] = [list, remove]
