import type { Login } from '@rookery/contracts/auth'
import { loginsOf, stateOf } from './accounts.ts'
import { operatorCall, type Servers } from './servers.ts'
import { type Subcommand, textOf } from './subcommand.ts'

const momentOf = (milliseconds: number | undefined) => (milliseconds === undefined ? 'never' : new Date(milliseconds).toISOString())

const show: Subcommand = {
  usage: 'show <name>',
  summary:
    'Shows one account: address, role, state, since when, last sign-in, apps and browsers, second factor, and why they wanted to join.',
  async run(servers, { operands }) {
    const details = await (await loginsOf(servers)).readAccount(operatorCall(), { username: operands[0] ?? '' })
    const { login } = details
    const lines = login && [
      `${login.username}\t${login.accountId}`,
      `Address\t${login.email}`,
      `Role\t${login.role}`,
      `State\t${stateOf(login)}`,
      `Since\t${momentOf(login.createdAtMilliseconds)}`,
      `Last sign-in\t${momentOf(details.lastSignInAtMilliseconds)}`,
      `Language\t${details.locale}`,
      `Apps\t${details.apps}`,
      `Browsers\t${details.browsers}`,
      `Second factor\t${details.hasSecondFactor ? 'on' : 'off'}`,
      ...(details.reason ? [`Reason\t${details.reason}`] : []),
    ]
    return { lines: lines ?? [], json: details }
  },
}

const role: Subcommand = {
  usage: 'role <name> <role>',
  summary: 'Gives someone another role.',
  async run(servers, { operands: [username = '', name = ''] }) {
    const login = await (await loginsOf(servers)).setRole(operatorCall(), { username, role: name })
    return { lines: [`The account ${login.username} is ${login.role}.`], json: login }
  },
}

const resetPassword: Subcommand = {
  usage: 'reset-password <name>',
  summary: 'Prints a link that sets a new password once, within a day; or has one sent, which works for an hour.',
  options: { '--mail': 'send the link by mail instead of printing it' },
  async run(servers, { operands, options }) {
    const request = { username: operands[0] ?? '', byMail: options['mail'] === true }
    const reset = await (await loginsOf(servers)).resetPassword(operatorCall(), request)
    return { lines: [reset.link || 'A link is on its way.'], json: reset }
  },
}

const disableSecondFactor: Subcommand = {
  usage: 'disable-second-factor <name>',
  summary: 'Turns the second factor of someone off who lost it and has no recovery codes; the person gets mail.',
  async run(servers, { operands }) {
    const login = await (await loginsOf(servers)).disableSecondFactor(operatorCall(), { username: operands[0] ?? '' })
    return { lines: [`The second factor of ${login.username} is off.`], json: login }
  },
}

/** A deletion must be confirmed by typing the name twice: it cannot be undone. */
const remove: Subcommand = {
  usage: 'delete <name>',
  summary: 'Deletes an account with everything of it, for ever. No one gets its name again.',
  options: { '--confirm <name>': 'the name again, because this cannot be undone' },
  async run(servers, typed) {
    const [username = ''] = typed.operands
    if (textOf(typed, 'confirm') !== username) throw new Error(`This cannot be undone. To go on, add: --confirm ${username}`)
    const login = await (await loginsOf(servers)).deleteAccount(operatorCall(), { username })
    return { lines: [`The account ${login.username} is deleted.`], json: login }
  },
}

const judge = (given: {
  usage: string
  summary: string
  act: (servers: Servers, username: string) => Promise<Login>
  done: string
}): Subcommand => ({
  usage: given.usage,
  summary: given.summary,
  async run(servers, { operands }) {
    const login = await given.act(servers, operands[0] ?? '')
    return { lines: [`The sign-up of ${login.username} is ${given.done}.`], json: login }
  },
})

const approve = judge({
  usage: 'approve <name>',
  summary: 'Lets someone in who waits for approval.',
  act: async (servers, username) => (await loginsOf(servers)).approve(operatorCall(), { username }),
  done: 'approved',
})

const reject = judge({
  usage: 'reject <name>',
  summary: 'Turns someone away who waits for approval; nothing of the sign-up stays.',
  act: async (servers, username) => (await loginsOf(servers)).reject(operatorCall(), { username }),
  done: 'rejected',
})

export const ACCOUNT_LIFE_COMMANDS: readonly Subcommand[] = [show, role, resetPassword, disableSecondFactor, approve, reject, remove]
