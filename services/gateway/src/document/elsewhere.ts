/** An operation of the public surface that another service answers directly. */
export type Operation = { method: string; path: string; summary: string; parameters?: readonly string[] }

/** Sign-in (auth) and streams (streaming): on the same origin, past the gateway. */
export const ELSEWHERE: readonly Operation[] = [
  {
    method: 'GET',
    path: '/oauth/authorize',
    summary: 'Asks a person to let an app in; ends at the app with a code.',
    parameters: [
      'response_type',
      'client_id',
      'redirect_uri',
      'scope',
      'state',
      'force_login',
      'lang',
      'code_challenge',
      'code_challenge_method',
    ],
  },
  { method: 'POST', path: '/oauth/token', summary: 'Exchanges a code, or an app’s own credentials, for a token.' },
  { method: 'POST', path: '/oauth/revoke', summary: 'Revokes a token.' },
  { method: 'GET', path: '/.well-known/oauth-authorization-server', summary: 'How to sign in here, for programs (RFC 8414).' },
  { method: 'GET', path: '/api/v1/streaming/health', summary: 'Whether streaming is alive.' },
  { method: 'GET', path: '/api/v1/streaming/user', summary: "The viewer's home and notifications, live.", parameters: ['access_token'] },
  {
    method: 'GET',
    path: '/api/v1/streaming/user/notification',
    summary: "The viewer's notifications, live.",
    parameters: ['access_token'],
  },
  { method: 'GET', path: '/api/v1/streaming/public', summary: 'Public posts, live.', parameters: ['access_token', 'only_media'] },
  {
    method: 'GET',
    path: '/api/v1/streaming/public/local',
    summary: 'Public posts of this server, live.',
    parameters: ['access_token', 'only_media'],
  },
  { method: 'GET', path: '/api/v1/streaming/hashtag', summary: 'Public posts with a tag, live.', parameters: ['access_token', 'tag'] },
  {
    method: 'GET',
    path: '/api/v1/streaming/hashtag/local',
    summary: 'Public posts of this server with a tag, live.',
    parameters: ['access_token', 'tag'],
  },
]
