import { loginsOf } from './accounts.ts'
import { operatorCall } from './servers.ts'
import { type Subcommand, textOf } from './subcommand.ts'

/** The characters of a token: a mistyped option with a value is not one. */
const TOKEN = /^[\w-]+$/

const revoke: Subcommand = {
  usage: 'revoke [token]',
  summary: 'Revokes one token, or all of an account.',
  options: { '--account <name>': 'all tokens of this account' },
  takesDashes: true,
  async run(servers, typed) {
    const [accessToken = ''] = typed.operands
    const username = textOf(typed, 'account')
    if (Boolean(accessToken) === Boolean(username)) throw new Error('Name either a token or, with --account, an account.')
    if (accessToken && !TOKEN.test(accessToken)) throw new Error('That is no token.')
    const revoked = await (await loginsOf(servers)).revokeToken(operatorCall(), { accessToken, username })
    return { lines: [`${revoked.count} revoked.`], json: revoked }
  },
}

export const TOKEN_COMMANDS: readonly Subcommand[] = [revoke]
