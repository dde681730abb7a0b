import exec from 'k6/execution'
import { ask, read } from './requests.ts'
import { TOKENS } from './settings.ts'

export type Person = { id: string; token: string }
type Account = { id: string }

const SCOPES = 'read write follow'
/** How many others someone follows who has just come. */
const FOLLOWED = 10

export const NOBODY_CAN_SIGN_UP =
  'No one can sign up: the server needs REGISTRATIONS=open and CONFIRMATION=automatic, or a list of tokens (docs/operations/load.md).'

const NOWHERE = 'urn:ietf:wg:oauth:2.0:oob'

let appToken: string | undefined

/** A token of an app, which may sign people up. One for each virtual person. */
const tokenOfApp = (): string | undefined => {
  const app = read<{ client_id: string; client_secret: string }>(
    ask('POST', '/api/v1/apps', { body: { client_name: 'Load', redirect_uris: NOWHERE, scopes: SCOPES } }),
  )
  if (!app) return undefined
  const body = { ...app, grant_type: 'client_credentials', redirect_uri: NOWHERE, scope: SCOPES }
  return read<{ access_token: string }>(
    ask('POST', '/oauth/token', { body: { ...body, client_id: app.client_id, client_secret: app.client_secret } }),
  )?.access_token
}

const randomWord = () => Math.random().toString(36).slice(2, 12)

const whoHas = (token: string): Person | undefined => {
  const account = read<Account>(ask('GET', '/api/v1/accounts/verify_credentials', { token }))
  return account && { id: account.id, token }
}

/** Signs someone up, as an app does, with a password that no one keeps. */
export const signUp = (): Person | undefined => {
  appToken ??= tokenOfApp()
  if (!appToken) return undefined
  const username = `load_${randomWord()}${exec.vu.idInTest}`
  const given = { username, email: `${username}@load.invalid`, password: `${randomWord()}${randomWord()}`, agreement: true, locale: 'en' }
  const token = read<{ access_token: string }>(ask('POST', '/api/v1/accounts', { token: appToken, body: given }))?.access_token
  return token ? whoHas(token) : undefined
}

/** Follows some of those there are, and says something: so that homes are not empty. */
const settleIn = (person: Person) => {
  const query = { order: 'new', local: 'true', limit: String(FOLLOWED) }
  const others = read<Account[]>(ask('GET', '/api/v1/directory', { token: person.token, query })) ?? []
  for (const { id } of others) if (id !== person.id) ask('POST', `/api/v1/accounts/${id}/follow`, { token: person.token, body: {} })
  say(person, 'Good morning')
}

/** Posts. */
export const say = ({ token }: Person, status: string) => ask('POST', '/api/v1/statuses', { token, body: { status } })

let person: Person | undefined

/** Who this virtual person is, the same in all scenes. Someone who was not there before signs up, or takes a token of the list. */
export const whoAmI = (): Person => {
  if (person) return person
  // The first of the list is the celebrity.
  const listed = TOKENS.length > 1 ? TOKENS[1 + ((exec.vu.idInTest - 1) % (TOKENS.length - 1))] : undefined
  const found = listed ? whoHas(listed) : signUp()
  if (!found) {
    exec.test.abort(listed ? 'A token of the list is not accepted.' : NOBODY_CAN_SIGN_UP)
    throw new Error('nobody')
  }
  person = found
  settleIn(found)
  return found
}
