import { Public } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'

export const readInvite = endpoint({
  method: 'GET',
  path: '/api/v1/invites/:code',
  access: Public(),
  summary: 'Whether one may sign up by an invitation.',
  handle: async ({ call, params, address }, { invites, config }) => {
    const { code = '' } = params
    await invites.check(call, { code, address })
    return { instance_api_url: `${config.baseUrl}/api/v2/instance`, invite_code: code }
  },
})
