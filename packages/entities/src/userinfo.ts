import { AccountBody, type Credentials } from '@rookery/contracts/statuses'
import { accountEntity } from './account.ts'
import type { Addresses } from './addresses.ts'

/** The claims about a person that an app with the scope `profile` gets (OpenID Connect Core, 5.3; beyond-the-spec 1.3). */
export const userinfoEntity = (credentials: Credentials, urls: Addresses) => {
  if (!credentials.account) throw new Error('credentials without an account')
  const { uri, username, display_name, url, avatar } = accountEntity(AccountBody.decode(credentials.account.body), urls)
  return { iss: urls.issuer, sub: uri, name: display_name || username, preferred_username: username, profile: url, picture: avatar }
}
