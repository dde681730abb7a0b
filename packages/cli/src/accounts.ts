import { type Login, LoginOperatorDefinition } from '@rookery/contracts/auth'
import type { Client } from '@rookery/rpc'
import { operatorCall, type Servers } from './servers.ts'
import { type Subcommand, textOf } from './subcommand.ts'

/** Logins per call. */
const PAGE = 100

/** auth's calls for the operator. */
export const loginsOf = (servers: Servers) => servers.of('auth', LoginOperatorDefinition)

/** Why a login cannot sign in; empty if it can. */
export const stateOf = (login: Login) => {
  if (login.isMemorial) return 'memorial'
  if (login.isSuspended) return 'suspended'
  if (login.isDisabled) return 'disabled'
  if (!login.isApproved) return 'waits for approval'
  return login.isConfirmed ? 'active' : 'unconfirmed'
}

const lineOf = (login: Login) => [login.accountId, login.username, login.email, login.role, stateOf(login)].join('\t')

const create: Subcommand = {
  usage: 'create <name>',
  summary: 'Opens an account; prints the password when it made one, and the token, alone on the last line, when scopes are given.',
  options: {
    '--email <address>': 'the address for mail and signing in',
    '--password <text>': 'the password; one is made and printed unless given',
    '--role <role>': 'user, moderator, admin or owner; user unless given',
    '--confirmed': 'take the address as confirmed',
    '--token <scopes>': 'make an access token with these scopes, separated by spaces',
  },
  async run(servers, typed) {
    const logins = await loginsOf(servers)
    const created = await logins.createAccount(operatorCall(), {
      username: typed.operands[0] ?? '',
      email: textOf(typed, 'email'),
      password: textOf(typed, 'password'),
      role: textOf(typed, 'role'),
      confirmed: typed.options['confirmed'] === true,
      tokenScopes: textOf(typed, 'token'),
    })
    const { login, password, accessToken } = created
    const lines = [`The account ${login?.username} was made, as ${login?.role}.`]
    if (password) lines.push(`Password: ${password}`)
    if (accessToken) lines.push(accessToken)
    return { lines, json: created }
  },
}

const list: Subcommand = {
  usage: 'list',
  summary: 'Lists accounts, newest first: id, name, address, role, state.',
  async run(servers) {
    const operator = await loginsOf(servers)
    const all: Login[] = []
    for (let maxId: string | undefined; ; maxId = all.at(-1)?.accountId) {
      const { logins } = await operator.listAccounts(operatorCall(), { page: { maxId, limit: PAGE } })
      all.push(...logins)
      if (logins.length < PAGE) break
    }
    return { lines: all.map(lineOf), json: all }
  },
}

const setDisabled = (usage: string, isDisabled: boolean, summary: string): Subcommand => ({
  usage,
  summary,
  async run(servers, { operands }) {
    const login = await (await loginsOf(servers)).setDisabled(operatorCall(), { username: operands[0] ?? '', isDisabled })
    return { lines: [`The account ${login.username} is ${stateOf(login)}.`], json: login }
  },
})

const disable = setDisabled('disable <name>', true, 'Keeps someone from signing in and using tokens; closes their streams.')
const enable = setDisabled('enable <name>', false, 'Takes that back.')

const setState = (
  usage: string,
  summary: string,
  done: string,
  change: (logins: Client<LoginOperatorDefinition>, username: string) => Promise<Login>,
): Subcommand => ({
  usage,
  summary,
  async run(servers, { operands }) {
    const login = await change(await loginsOf(servers), operands[0] ?? '')
    return { lines: [`The account ${login.username} is ${done}.`], json: login }
  },
})

const silence = setState(
  'silence <name>',
  "Keeps someone's posts from the public: anyone who follows them, or asks for them, still finds them.",
  'silenced',
  (logins, username) => logins.setSilenced(operatorCall(), { username, isSilenced: true }),
)
const unsilence = setState('unsilence <name>', 'Takes that back.', 'silenced no more', (logins, username) =>
  logins.setSilenced(operatorCall(), { username, isSilenced: false }),
)
const suspend = setState(
  'suspend <name>',
  'Hides someone and all they posted from everyone; no one signs in as them.',
  'suspended',
  (logins, username) => logins.setSuspended(operatorCall(), { username, isSuspended: true }),
)
const unsuspend = setState(
  'unsuspend <name>',
  'Takes that back; a login that was disabled besides stays so.',
  'suspended no more',
  (logins, username) => logins.setSuspended(operatorCall(), { username, isSuspended: false }),
)

const memorial = setState(
  'memorial <name>',
  'Marks someone as having died: their profile says so, what they posted stays, and no one signs in as them.',
  'a memorial',
  (logins, username) => logins.setMemorial(operatorCall(), { username, isMemorial: true }),
)
const unmemorial = setState('unmemorial <name>', 'Takes that back.', 'a memorial no more', (logins, username) =>
  logins.setMemorial(operatorCall(), { username, isMemorial: false }),
)

export const ACCOUNT_COMMANDS: readonly Subcommand[] = [
  create,
  list,
  disable,
  enable,
  silence,
  unsilence,
  suspend,
  unsuspend,
  memorial,
  unmemorial,
]
