import type { startMailServer, World } from '@rookery/test-world'
import { randomFrom } from '@rookery/test-world/random'
import { keepApp, usingApps } from './apps.ts'
import { compareAll, compareMails } from './compare.ts'
import { changingCredentials } from './credentials.ts'
import { Facts } from './facts.ts'
import { newLogin, type SignUpApp, signingUpAndIn } from './sign-ups.ts'
import { signing } from './signing.ts'
import { helpingOut } from './staff.ts'
import { DAY, HOUR, type Maker, MINUTE, type Stage } from './stage.ts'

/** How much time passes after an act, in milliseconds; now and then so much that something expires. */
const PAUSES = [0, 0, 0, MINUTE / 2, MINUTE / 2, MINUTE]
const LONG_PAUSES = [5 * MINUTE, 11 * MINUTE, HOUR / 2, HOUR, HOUR, 25 * HOUR, 8 * DAY, 20 * DAY]

/** The result of a walk: differences, the numbers of acts and of compared values, the acts, and text that must be in no log. */
type Result = { faults: string[]; acts: number; values: number; log: string[]; secrets: Set<string> }

type Mail = Awaited<ReturnType<typeof startMailServer>>

const openStage = async (world: World, mail: Mail, seed: number, result: Result): Promise<Stage> => {
  const compare: Stage['compare'] = (what, is, wanted) => {
    result.values++
    const [one, other] = [JSON.stringify(is), JSON.stringify(wanted)]
    if (one !== other) result.faults.push(`${what}: is ${one}, not ${other}`)
  }
  const facts = new Facts(world.clock.now)
  for (const username of ['mara', 'joel', 'nadia']) {
    const { id } = await world.person(username, { scopes: '' })
    const known = { id, username, email: `${username}@example.org`, password: `${username}-password` }
    facts.logins.push({ ...newLogin(known), isConfirmed: true })
  }
  return { world, mail, random: randomFrom(seed), facts, owner: await world.owner('owner'), compare, secrets: result.secrets }
}

const openSignUpApp = async (stage: Stage): Promise<SignUpApp> => {
  const { world } = stage
  const [name, uri, scopes] = ['Sign up', 'tea://done', 'read write follow push']
  const client = (await world.asks('POST', '/api/v1/apps', { body: { client_name: name, redirect_uris: uri, scopes } })).body
  const app = await keepApp(stage, client, { name, scopes: scopes.split(' '), redirectUris: [uri] })
  const { client_id, client_secret } = client
  const grant = { grant_type: 'client_credentials', client_id, client_secret, scope: scopes }
  return { app, token: (await world.asks('POST', '/oauth/token', { body: grant })).body.access_token }
}

const makersOf = (stage: Stage, app: SignUpApp): Maker[] =>
  [...signing(stage), ...usingApps(stage), ...changingCredentials(stage), ...helpingOut(stage), ...signingUpAndIn(stage, app)].flatMap(
    ([weight, make]) => Array.from({ length: weight }, () => make),
  )

/** People, apps, staff and operators do things at random; every few acts everything that is known is tried. */
export const takeWalk = async (
  world: World,
  mail: Mail,
  { seed, rounds, every }: Record<'seed' | 'rounds' | 'every', number>,
): Promise<Result> => {
  const result: Result = { faults: [], acts: 0, values: 0, log: [], secrets: new Set() }
  const stage = await openStage(world, mail, seed, result)
  const makers = makersOf(stage, await openSignUpApp(stage))
  for (let count = 1; count <= rounds && result.faults.length === 0; count++) {
    const act = stage.random.of(makers)()
    if (!act) continue
    result.acts++
    const pause = stage.random.of(stage.random.chance(0.08) ? LONG_PAUSES : PAUSES)
    result.log.push(`${act.what}${pause > 0 ? `; ${pause / MINUTE} minutes pass` : ''}`)
    await act.run()
    await world.advance(pause)
    compareMails(stage, act)
    if (count % every === 0 && result.faults.length === 0) await compareAll(stage)
  }
  for (const { email } of stage.facts.logins) stage.secrets.add(email)
  return result
}
