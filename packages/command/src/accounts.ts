import { type Login, LoginOperatorDefinition } from '@rookery/contracts/auth'
import type { Client } from '@rookery/rpc'
import { operatorCall, type Servers } from './servers.ts'
import { type Subcommand, textOf } from './subcommand.ts'

/** Logins asked for at once. */
const PAGE = 100

/** What auth does for the operator. */
export const loginsOf = (servers: Servers) => servers.of('auth', LoginOperatorDefinition)

/** What keeps somebody from signing in, or nothing. */
export const stateOf = (login: Login) => {
  if (login.isMemorial) return 'memorial'
  if (login.isSuspended) return 'suspended'
  if (login.isDisabled) return 'disabled'
  if (!login.isApproved) return 'waits for approval'
  return login.isConfirmed ? 'active' : 'unconfirmed'
}

const lineOf = (login: Login) => [login.accountId, login.username, login.email, login.role, stateOf(login)].join('\t')

const create: Subcommand = {
  name: 'accounts create',
  usage: 'NAME --email ADDRESS [--password TEXT] [--role user|moderator|admin|owner] [--confirmed] [--token "SCOPES"]',
  summary: 'Opens an account; prints the password when it made one, and the token, alone on the last line, when scopes are given.',
  operands: [1, 1],
  options: {
    email: { type: 'string' },
    password: { type: 'string' },
    role: { type: 'string' },
    confirmed: { type: 'boolean' },
    token: { type: 'string' },
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
  name: 'accounts list',
  usage: '',
  summary: 'Lists accounts, newest first: id, name, address, role, state.',
  operands: [0, 0],
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

const setDisabled = (name: string, isDisabled: boolean, summary: string): Subcommand => ({
  name,
  usage: 'NAME',
  summary,
  operands: [1, 1],
  async run(servers, { operands }) {
    const login = await (await loginsOf(servers)).setDisabled(operatorCall(), { username: operands[0] ?? '', isDisabled })
    return { lines: [`The account ${login.username} is ${stateOf(login)}.`], json: login }
  },
})

const disable = setDisabled('accounts disable', true, 'Keeps somebody from signing in and using tokens; closes their streams.')
const enable = setDisabled('accounts enable', false, 'Takes that back.')

const setStanding = (
  name: string,
  summary: string,
  done: string,
  change: (logins: Client<LoginOperatorDefinition>, username: string) => Promise<Login>,
): Subcommand => ({
  name,
  usage: 'NAME',
  summary,
  operands: [1, 1],
  async run(servers, { operands }) {
    const login = await change(await loginsOf(servers), operands[0] ?? '')
    return { lines: [`The account ${login.username} is ${done}.`], json: login }
  },
})

const silence = setStanding(
  'accounts silence',
  "Keeps somebody's posts from the public: whoever follows them, or asks for them, still finds them.",
  'silenced',
  (logins, username) => logins.setSilenced(operatorCall(), { username, isSilenced: true }),
)
const unsilence = setStanding('accounts unsilence', 'Takes that back.', 'silenced no more', (logins, username) =>
  logins.setSilenced(operatorCall(), { username, isSilenced: false }),
)
const suspend = setStanding(
  'accounts suspend',
  'Hides somebody and all they posted from everybody; nobody signs in as them.',
  'suspended',
  (logins, username) => logins.setSuspended(operatorCall(), { username, isSuspended: true }),
)
const unsuspend = setStanding(
  'accounts unsuspend',
  'Takes that back; a login that was disabled besides stays so.',
  'suspended no more',
  (logins, username) => logins.setSuspended(operatorCall(), { username, isSuspended: false }),
)

const memorial = setStanding(
  'accounts memorial',
  'Marks somebody as having died: their profile says so, what they posted stays, and nobody signs in as them.',
  'a memorial',
  (logins, username) => logins.setMemorial(operatorCall(), { username, isMemorial: true }),
)
const unmemorial = setStanding('accounts unmemorial', 'Takes that back.', 'a memorial no more', (logins, username) =>
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
