import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { orNotFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'

/** Finds an account by username, regardless of case and of a leading @. @throws Failure not_found */
export const findAccount = async (
  accounts: Client<AccountsDefinition>,
  call: Call,
  typed: string,
): Promise<{ id: string; username: string }> => {
  const username = typed.trim().replace(/^@/, '')
  const found = await accounts.readUsernames(call, { usernames: [username] })
  return orNotFound(
    found.accounts.find((account) => account.username.toLowerCase() === username.toLowerCase()),
    `no account ${username}`,
  )
}
