import type { Json } from '../cast.ts'
import { elsewhere, took } from '../walk.ts'
import type { Act } from './posts.ts'

/** Follows, blocks or mutes someone of the other server. */
export const toAccount =
  (act: string): Act =>
  async (walk, me) => {
    const them = elsewhere(walk, me)
    took(walk, `${me.name} ${act}s ${them.name}`, await me.person.post(`/api/v1/accounts/${them.ids[me.side]}/${act}`))
  }

/** Ends a relationship, if there is one. */
export const ends =
  (flag: string, act: string): Act =>
  async (walk, me) => {
    const others = walk.cast.actors.filter((one) => one !== me && !one.isGone)
    const query = others.map((one) => `id[]=${one.ids[me.side]}`).join('&')
    const { body } = await me.person.get(`/api/v1/accounts/relationships?with_suspended=true&${query}`)
    const ids = new Set(body.filter((relation: Json) => relation[flag]).map(({ id }: Json) => id))
    const having = others.filter((one) => ids.has(one.ids[me.side]))
    if (having.length === 0) return
    const them = walk.random.of(having)
    took(walk, `${me.name} ${act}s ${them.name}`, await me.person.post(`/api/v1/accounts/${them.ids[me.side]}/${act}`))
  }

/** Answers a follow request, if there is one. */
export const answersRequest: Act = async (walk, me) => {
  const [request] = (await me.person.get('/api/v1/follow_requests')).body
  if (!request) return
  const act = walk.random.of(['authorize', 'authorize', 'reject'])
  took(walk, `${me.name} ${act}s ${request.acct}`, await me.person.post(`/api/v1/follow_requests/${request.id}/${act}`))
}

/** Blocks the domain of the other server, or ends that. */
export const blocksDomain =
  (method: 'POST' | 'DELETE'): Act =>
  async (walk, me) => {
    const [domain] = walk.cast.sides[1 - me.side]!.host.split(':')
    const blocked = (await me.person.get('/api/v1/domain_blocks')).body
    if ((method === 'POST') === blocked.length > 0) return
    took(walk, `${me.name} ${method} block of ${domain}`, await me.person.asks(method, '/api/v1/domain_blocks', { body: { domain } }))
  }
