import { createHash } from 'node:crypto'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import type { Area, Asked, Json, Maker, Stage } from './stage.ts'
import { compareFields, idsOf, judging, request } from './stage.ts'

// Sign-ups, those that wait for approval, and the addresses that staff keep out (beyond-the-spec 2.6).

const ACCOUNTS = '/api/v1/admin/accounts'
const PROVIDERS = '/api/v1/admin/email_domain_blocks'
const NETWORKS = '/api/v1/admin/ip_blocks'
const MAILBOXES = '/api/v1/admin/canonical_email_blocks'

type Newcomer = {
  id: string
  username: string
  email: string
  token: string
  address: string
  state: 'pending' | 'in' | 'suspended' | 'gone'
}
type Provider = { id: string; domain: string; refused: { day: string; address: string }[] }
type Network = { id: string; ip: string; severity: string; expiresAt: number | undefined }

/** Without `no_access`: processes learn of that within thirty seconds. */
const SEVERITIES = ['sign_up_requires_approval', 'sign_up_block']
const IPS = ['198.51.100.0/24', '203.0.113.0/24', '203.0.113.9/32']
const ADDRESSES = ['198.51.100.7', '203.0.113.9', '203.0.113.10', '192.0.2.1']
const DOMAINS = ['spam.example', 'sub.spam.example', 'example.net']

const isWithin = (ip: string, address: string) => (ip.endsWith('/32') ? ip === `${address}/32` : ip.startsWith(address.replace(/\d+$/, '')))
const canonical = (email: string) => {
  const [mailbox, domain] = email.split('@') as [string, string]
  return createHash('sha256')
    .update(`${mailbox.replaceAll('.', '').split('+')[0]}@${domain}`)
    .digest('hex')
}
const dayOf = (milliseconds: number) => String(Math.floor(milliseconds / 86_400_000) * 86_400)

export type Newcomers = Map<string, Newcomer>

class Doors {
  readonly newcomers: Newcomers

  constructor(newcomers: Newcomers) {
    this.newcomers = newcomers
  }

  readonly providers = new Map<string, Provider>()
  readonly networks = new Map<string, Network>()
  readonly mailboxes = new Map<string, string>()

  severity(address: string, now: number): string | undefined {
    const there = [...this.networks.values()].filter(({ ip, expiresAt }) => isWithin(ip, address) && (expiresAt ?? Infinity) > now)
    return SEVERITIES.findLast((severity) => there.some((each) => each.severity === severity))
  }

  /** The blocks of an address's provider, and of domains above it. */
  providersOf(email: string): Provider[] {
    const domain = email.split('@')[1]!
    return [...this.providers.values()].filter((each) => domain === each.domain || domain.endsWith(`.${each.domain}`))
  }
}

const KEY = 'doors'

const signing = (stage: Stage, doors: Doors, token: string): Maker => {
  const { world, random, now } = stage
  let count = 0
  return () => {
    const address = random.of(ADDRESSES)
    const username = `new${++count}`
    const email = `${random.chance(0.5) ? 'j.o' : 'jo'}${random.of([1, 2])}+${count}@${random.of(DOMAINS)}`
    const body = { username, email, password: 'a password', agreement: true, locale: 'en' }
    const severity = doors.severity(address, now())
    const providers = doors.providersOf(email)
    const isBlocked = providers.length > 0 || doors.mailboxes.has(canonical(email))
    const isBarred = severity === 'sign_up_block'
    return {
      what: `${username} ${email} signs up from ${address}`,
      send: async () => {
        const answer = await world.asks('POST', '/api/v1/accounts', { token, headers: { 'x-forwarded-for': address }, body })
        // Refused sign-ups are counted for the provider.
        if (!isBarred) for (const { refused } of providers) refused.push({ day: dayOf(now()), address })
        return answer
      },
      wanted: isBarred ? 403 : isBlocked ? 422 : 200,
      ...{ keys: [], fixed: [KEY] },
      done: ({ access_token }) => {
        const state = severity === 'sign_up_requires_approval' ? 'pending' : 'in'
        doors.newcomers.set(username, { id: '', username, email, token: access_token, address, state })
      },
    }
  }
}

const admitting = (stage: Stage, doors: Doors): Maker => {
  const { random, staff, people } = stage
  const { may } = judging(stage)
  return () => {
    const all = [...doors.newcomers.values()].filter(({ id }) => id)
    const waiting = all.filter(({ state }) => state === 'pending')
    const [by, newcomer] = [random.of(random.chance(0.1) ? people : staff), all.length > 0 && random.of(waiting.length > 0 ? waiting : all)]
    const verb = random.of(['approve', 'approve', 'reject'])
    if (!newcomer) return undefined
    const wanted = newcomer.state === 'gone' ? 404 : newcomer.state === 'pending' ? 200 : 403
    return {
      ...request(by, 'POST', `${ACCOUNTS}/${newcomer.id}/${verb}`),
      wanted: may(by, PERMISSIONS.manageUsers) ? wanted : 403,
      ...{ keys: [], fixed: [`account ${by.id}`, KEY] },
      done: () => Object.assign(newcomer, { state: verb === 'approve' ? 'in' : 'gone' }),
    }
  }
}

/** Suspends someone who joined, takes that back, or deletes them. */
const ending = (stage: Stage, doors: Doors): Maker => {
  const { random, staff } = stage
  const { may } = judging(stage)
  return () => {
    const all = [...doors.newcomers.values()].filter(({ id, state }) => id && state !== 'pending')
    const [by, newcomer] = [random.of(staff), all.length > 0 ? random.of(all.slice(-4)) : undefined]
    if (!newcomer) return undefined
    const { id, state } = newcomer
    const isThere = state !== 'gone'
    const act = random.of(['suspend', 'unsuspend', 'delete'])
    const path = `${ACCOUNTS}/${id}`
    const sent = {
      suspend: request(by, 'POST', `${path}/action`, { type: 'suspend', send_email_notification: false }),
      unsuspend: request(by, 'POST', `${path}/unsuspend`),
      delete: request(by, 'DELETE', path),
    }[act]!
    const mayDo = may(by, act === 'delete' ? PERMISSIONS.deleteUserData : PERMISSIONS.manageUsers)
    const fits = act !== 'delete' || state === 'suspended'
    return {
      ...sent,
      wanted: !mayDo ? 403 : !isThere ? 404 : fits ? 200 : 403,
      ...{ keys: [], fixed: [`account ${by.id}`, KEY] },
      done: () => Object.assign(newcomer, { state: { suspend: 'suspended', unsuspend: 'in', delete: 'gone' }[act] }),
    }
  }
}

const barring = (stage: Stage, doors: Doors) => {
  const { random, staff, people } = stage
  const { may } = judging(stage)
  const by = () => random.of(random.chance(0.1) ? people : staff)
  const refused = (one: { id: string }, wanted: number) => (may(one, PERMISSIONS.manageBlocks) ? wanted : 403)
  const fixed = (one: { id: string }) => ({ keys: [], fixed: [`account ${one.id}`, KEY] })
  const provider: Maker = () => {
    const [one, domain] = [by(), random.of(DOMAINS)]
    return {
      ...request(one, 'POST', PROVIDERS, { domain }),
      wanted: refused(one, doors.providers.has(domain) ? 422 : 200),
      ...fixed(one),
      done: ({ id }) => doors.providers.set(domain, { id, domain, refused: [] }),
    }
  }
  const mailbox: Maker = () => {
    const [one, email] = [by(), `j.o${random.of([1, 2])}+any@${random.of(DOMAINS)}`]
    const hash = canonical(email)
    return {
      ...request(one, 'POST', MAILBOXES, { email }),
      wanted: refused(one, doors.mailboxes.has(hash) ? 422 : 200),
      ...fixed(one),
      done: ({ id }) => doors.mailboxes.set(hash, id),
    }
  }
  const network: Maker = () => {
    const [one, ip, severity, expires_in] = [by(), random.of(IPS), random.of(SEVERITIES), random.of([undefined, 7000])]
    return {
      ...request(one, 'POST', NETWORKS, { ip, severity, expires_in }),
      wanted: refused(one, [...doors.networks.values()].some((each) => each.ip === ip) ? 422 : 200),
      ...fixed(one),
      done: ({ id, expires_at }) =>
        doors.networks.set(id, { id, ip, severity, expiresAt: expires_at ? Date.parse(expires_at) : undefined }),
    }
  }
  const change: Maker = () => {
    const [one, block] = [by(), doors.networks.size > 0 ? random.of([...doors.networks.values()]) : undefined]
    const form = random.of([{ severity: random.of(SEVERITIES) }, { expires_in: '' }, { expires_in: 7000 }])
    return (
      block && {
        ...request(one, 'PUT', `${NETWORKS}/${block.id}`, form),
        wanted: refused(one, 200),
        ...fixed(one),
        done: ({ expires_at, severity }) => Object.assign(block, { severity, expiresAt: expires_at ? Date.parse(expires_at) : undefined }),
      }
    )
  }
  const remove: Maker = () => {
    const records = [
      ...[...doors.providers.values()].map(({ id, domain }) => [PROVIDERS, id, () => doors.providers.delete(domain)] as const),
      ...[...doors.networks.keys()].map((id) => [NETWORKS, id, () => doors.networks.delete(id)] as const),
      ...[...doors.mailboxes].map(([hash, id]) => [MAILBOXES, id, () => doors.mailboxes.delete(hash)] as const),
    ]
    if (records.length === 0) return undefined
    const [one, [path, id, done]] = [by(), random.of(records)]
    return { ...request(one, 'DELETE', `${path}/${id}`), wanted: refused(one, 200), ...fixed(one), done }
  }
  return { provider, mailbox, network, change, remove }
}

const compareBlocks = async ({ viewer, compare }: Asked, doors: Doors, now: number) => {
  const { body: providers } = await viewer.get(PROVIDERS)
  compare('providers', idsOf(providers), idsOf([...doors.providers.values()]))
  for (const { domain, history } of providers) {
    const refused = doors.providers.get(domain)?.refused.filter(({ day }) => day === dayOf(now)) ?? []
    const accounts = new Set(refused.map(({ address }) => address)).size
    compare(`history of ${domain}`, history[0], { day: dayOf(now), accounts: String(accounts), uses: String(refused.length) })
  }
  const { body: networks } = await viewer.get(NETWORKS)
  compare('networks', idsOf(networks), idsOf([...doors.networks.values()]))
  for (const { id, ip, severity, expires_at } of networks) {
    const block = doors.networks.get(id)
    compare(
      `network ${ip}`,
      [ip, severity, expires_at ? Date.parse(expires_at) : undefined],
      [block?.ip, block?.severity, block?.expiresAt],
    )
  }
  const { body: mailboxes } = await viewer.get(MAILBOXES)
  compare('mailboxes', mailboxes.map((each: Json) => `${each.id} ${each.canonical_email_hash}`).toSorted(), [
    ...[...doors.mailboxes].map(([hash, id]) => `${id} ${hash}`).toSorted(),
  ])
}

const compareNewcomers = async ({ viewer, compare }: Asked, { world }: Stage, doors: Doors, isStaff: boolean) => {
  for (const { id, username, token, state } of doors.newcomers.values()) {
    const answer = await world.asks('GET', '/api/v1/accounts/verify_credentials', { token })
    compare(`${username} is ${state}`, answer.status, { pending: 403, in: 200, suspended: 403, gone: 401 }[state])
    const there = state === 'in' || state === 'suspended' ? 200 : 404
    const { status, body } = await viewer.get(`/api/v1/accounts/${id}`)
    compare(`account of ${username}, ${state}`, [status, body.suspended ?? false], [there, state === 'suspended'])
    compare(`lookup of ${username}, ${state}`, (await viewer.get(`/api/v1/accounts/lookup?acct=${username}`)).status, there)
  }
  if (!isStaff) return
  const pending = [...doors.newcomers.values()].filter(({ state }) => state === 'pending')
  for (const path of [
    `${ACCOUNTS}?pending=true`,
    '/api/v2/admin/accounts?status=pending',
    '/api/v2/admin/accounts?status=pending&origin=local',
  ])
    compare(path, idsOf((await viewer.get(`${path}&limit=200`)).body), idsOf(pending))
  for (const { id, username, email, address, state } of doors.newcomers.values()) {
    const { status, body } = await viewer.get(`${ACCOUNTS}/${id}`)
    compare(`admin ${username}`, status, state === 'gone' ? 404 : 200)
    if (state !== 'gone')
      compareFields({ compare }, `admin ${username}`, body, {
        email,
        ip: address,
        approved: state !== 'pending',
        confirmed: true,
        suspended: state === 'suspended',
      })
  }
  const address = [...doors.newcomers.values()][0]?.address
  if (!address) return
  const from = [...doors.newcomers.values()].filter((each) => each.address === address && each.state !== 'gone')
  compare(`from ${address}`, idsOf((await viewer.get(`/api/v2/admin/accounts?ip=${address}&limit=200`)).body), idsOf(from))
}

/** The area; `token` is that of an app. */
export const signUpsArea = (stage: Stage, newcomers: Newcomers, token: string): Area => {
  const { owner } = stage
  const { may, isIn } = judging(stage)
  const doors = new Doors(newcomers)
  const bar = barring(stage, doors)
  return {
    makers: [
      [8, signing(stage, doors, token)],
      [5, admitting(stage, doors)],
      [5, ending(stage, doors)],
      [1, bar.provider],
      [1, bar.mailbox],
      [3, bar.network],
      [1, bar.change],
      [3, bar.remove],
    ],
    learn: async () => {
      for (const newcomer of doors.newcomers.values()) {
        if (newcomer.id) continue
        const { body } = await owner.get(`/api/v2/admin/accounts?username=${newcomer.username}`)
        newcomer.id = body.find(({ username }: Json) => username === newcomer.username)?.id ?? 'none'
      }
    },
    compare: async (asked) => {
      if (asked.viewer.id && !isIn(asked.viewer)) return
      const isStaff = asked.viewer.id !== '' && may(asked.viewer, PERMISSIONS.manageUsers)
      await compareNewcomers(asked, stage, doors, isStaff)
      if (asked.viewer.id && may(asked.viewer, PERMISSIONS.manageBlocks)) await compareBlocks(asked, doors, stage.now())
    },
  }
}
