import { userinfoEntity } from '@rookery/entities'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { type Context, endpoint } from '../http/endpoint.ts'

// For apps that only need to know who signed in (OpenID Connect Core, 5.3, which requires both methods).

const declared = {
  path: '/oauth/userinfo',
  access: User('profile'),
  summary: 'Who the token’s user is, as OpenID claims.',
  handle: async ({ call, viewerId }: Context<object>, { accounts, render }: Clients) =>
    userinfoEntity(await accounts.readCredentials(call, { accountId: viewerId }), render.urls),
}

export const readUserinfo = endpoint({ method: 'GET', ...declared })

export const postUserinfo = endpoint({ method: 'POST', ...declared })
