import { callWithin } from '@rookery/rpc/call-within'
import { moves as movesTo, names, returns as takesBackMove } from '@rookery/test-world/moving'
import type { Who } from '../cast.ts'
import { another, elsewhere, handleFor, knownTo, ownerOf, took, type Walk, worldOf } from '../walk.ts'
import type { Act } from './posts.ts'

const act = (walk: Walk, who: Who, type: string) => ownerOf(walk, who).post(`/api/v1/admin/accounts/${who.person.id}/action`, { type })

/** Staff suspend one of their people, or end the suspension of one. */
export const suspends: Act = async (walk, me) => {
  const suspended = walk.cast.actors.find(({ isSuspended }) => isSuspended)
  if (!suspended) {
    me.isSuspended = took(walk, `staff suspend ${me.name}`, await act(walk, me, 'suspend'))
    walk.hidden.add(me)
    return
  }
  const answer = await ownerOf(walk, suspended).post(`/api/v1/admin/accounts/${suspended.person.id}/unsuspend`)
  suspended.isSuspended = !took(walk, `staff end the suspension of ${suspended.name}`, answer)
}

/** Staff limit one of their people, or no longer, which the other server does not learn of. */
export const limits: Act = async (walk, me) => {
  walk.limited.add(me)
  if (walk.random.chance(0.5)) took(walk, `staff limit ${me.name}`, await act(walk, me, 'silence'))
  else took(walk, `staff limit ${me.name} no longer`, await ownerOf(walk, me).post(`/api/v1/admin/accounts/${me.person.id}/unsilence`))
}

/** Staff suspend someone of the other server, there alone, or end that. */
export const bars: Act = async (walk, me) => {
  const barred = walk.cast.actors.find(({ isBarred }) => isBarred)
  const them = barred ?? me
  const { owner } = walk.cast.sides[1 - them.side]!
  const path = `/api/v1/admin/accounts/${them.ids[1 - them.side]}`
  if (barred) barred.isBarred = !took(walk, `staff elsewhere suspend ${them.name} no longer`, await owner.post(`${path}/unsuspend`))
  else me.isBarred = took(walk, `staff elsewhere suspend ${them.name}`, await owner.post(`${path}/action`, { type: 'suspend' }))
  walk.hidden.add(them)
}

/** Staff of the other server show the statuses of a person as sensitive, or limit them, there alone. */
export const judgesElsewhere: Act = async (walk, me) => {
  const type = walk.random.of(['sensitive', 'silence'])
  const { owner } = walk.cast.sides[1 - me.side]!
  const answer = await owner.post(`/api/v1/admin/accounts/${me.ids[1 - me.side]}/action`, { type })
  if (!took(walk, `staff elsewhere find ${me.name} ${type}`, answer)) return
  walk.judged.add(me)
  walk.limited.add(me)
}

export const reports: Act = async (walk, me) => {
  const them = elsewhere(walk, me)
  const status_ids = (await knownTo(walk, me, ({ author }) => author === them)).slice(0, 2).map(({ id }) => id)
  const body = { account_id: them.ids[me.side], status_ids, comment: 'bad', forward: true }
  took(walk, `${me.name} reports ${them.name}`, await me.person.post('/api/v1/reports', body))
}

/** Moves to another account, which names this one first. The watcher follows that one from then on. */
export const moves: Act = async (walk, me) => {
  const them = another(walk, me)
  if (me.hasMoved || them.isSuspended || them.isBarred) return
  await names(worldOf(walk, them), them.person, handleFor(walk, them, me))
  await walk.cast.idle()
  const { status, text } = await movesTo(worldOf(walk, me), me.person, handleFor(walk, me, them))
  took(walk, `${me.name} moves to ${them.name}`, { status, text })
  me.isWatched = false
  me.hasMoved = true
}

/** Someone takes their move back. */
export const returns: Act = async (walk) => {
  const me = walk.cast.actors.find(({ hasMoved, isGone, isSuspended }) => hasMoved && !isGone && !isSuspended)
  if (!me) return
  const { status, text } = await takesBackMove(worldOf(walk, me), me.person)
  me.hasMoved = !took(walk, `${me.name} takes the move back`, { status, text })
}

/** An account is deleted; one in a walk. */
export const leaves: Act = async (walk, me) => {
  if (walk.cast.actors.some(({ isGone }) => isGone)) return
  await worldOf(walk, me).operator().deleteAccount(callWithin(30), { username: me.person.username })
  walk.log.push(`${me.name} is deleted`)
  me.isGone = true
}
