import { type Access, Public, User } from '../http/access.ts'
import type { Method } from '../http/endpoint.ts'

/** A public operation that another service answers directly; its parameters are strings. */
export type Operation = { method: Method; path: string; access: Access; summary: string; parameters: readonly string[] }

const QUESTION = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'force_login',
  'lang',
  'code_challenge',
  'code_challenge_method',
]
const GRANT = ['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'scope', 'code', 'code_verifier']

const signIn = (method: Method, path: string, summary: string, parameters: readonly string[] = []): Operation => ({
  method,
  path,
  access: Public(),
  summary,
  parameters,
})

const stream = (name: string, summary: string, parameters: readonly string[] = [], scope = 'read:statuses'): Operation => ({
  method: 'GET',
  path: `/api/v1/streaming/${name}`,
  access: User(scope),
  summary,
  parameters: ['access_token', ...parameters],
})

/** The operations of sign-in (auth) and streams (streaming): on the same origin, but not through the gateway. */
export const ELSEWHERE: readonly Operation[] = [
  signIn('GET', '/oauth/authorize', 'Asks the user to authorize an app; redirects to the app with a code.', QUESTION),
  signIn('POST', '/oauth/token', 'Exchanges a code, or an app’s credentials, for a token.', GRANT),
  signIn('POST', '/oauth/revoke', 'Revokes a token.', ['client_id', 'client_secret', 'token']),
  signIn('GET', '/.well-known/oauth-authorization-server', 'OAuth metadata of this server (RFC 8414).'),
  { method: 'GET', path: '/api/v1/streaming/health', access: Public(), summary: 'Health of streaming.', parameters: [] },
  {
    method: 'GET',
    path: '/api/v1/streaming',
    access: User('read:statuses'),
    summary: 'Opens a WebSocket for any number of streams (`stream` names the first). Without an upgrade 404: this host streams itself.',
    parameters: ['access_token', 'stream', 'tag', 'list'],
  },
  stream('user', "The viewer's home and notifications, live."),
  stream('user/notification', "The viewer's notifications, live.", [], 'read:notifications'),
  stream('user/markers', 'Read markers, live: an event `marker` for each change.'),
  stream('direct', "The viewer's direct conversations, live."),
  stream('list', "Posts of one of the viewer's lists, live.", ['list']),
  stream('public', 'Public posts, live.', ['only_media']),
  stream('public/local', 'Public posts of this server, live.', ['only_media']),
  stream('public/remote', 'Public posts of other servers, live.', ['only_media']),
  stream('hashtag', 'Public posts with a tag, live.', ['tag']),
  stream('hashtag/local', 'Public posts of this server with a tag, live.', ['tag']),
]
