import { PERMISSIONS } from '@rookery/contracts/permissions'
import { following } from '@rookery/test-world/elsewhere'
import type { Account, Act, Area, Asked, Json, Maker, Stage } from './stage.ts'
import { called, compareFields, judging, request } from './stage.ts'

// Domains that staff limit, and what becomes of their accounts and the follows between them and people here (beyond-the-spec 1.15).

const PATH = '/api/v1/admin/domain_blocks'
const NAMES = ['far.example', 'sub.far.example', 'deep.sub.far.example', 'other.example', 'none.example']
const SEVERITIES = ['noop', 'silence', 'suspend']

type Block = { id: string; domain: string; severity: string; reject_media: boolean; reject_reports: boolean; obfuscate: boolean } & Record<
  'private_comment' | 'public_comment',
  string | null
>

/** The domain, and those above it. */
const covering = (domain: string) => domain.split('.').map((_, index, labels) => labels.slice(index).join('.'))

const isStricter = (block: Block, other: Block) =>
  block.severity === 'suspend' ||
  (SEVERITIES.indexOf(block.severity) >= SEVERITIES.indexOf(other.severity) &&
    (block.reject_media || !other.reject_media) &&
    (block.reject_reports || !other.reject_reports))

const DEFAULTS = {
  severity: 'silence',
  reject_media: false,
  reject_reports: false,
  obfuscate: false,
  private_comment: null,
  public_comment: null,
}

export class Domains {
  readonly blocks = new Map<string, Block>()
  readonly follows = new Set<string>()
  readonly requests = new Set<string>()

  blockOf(domain: string): Block | undefined {
    return covering(domain).flatMap((each) => this.blocks.get(each) ?? [])[0]
  }

  isFollowed(by: string, id: string): boolean {
    return this.follows.has(`${by} ${id}`)
  }

  /** Applies the limits of a domain again to accounts there and below: what staff decided about an account itself stays. */
  limit(domain: string, accounts: Iterable<Account>): void {
    for (const account of accounts) {
      if (account.domain === undefined || !covering(account.domain).includes(domain)) continue
      const severity = this.blockOf(account.domain)?.severity
      if (severity === 'silence' && !account.isSilenced) Object.assign(account, { isSilenced: true, silencedByDomain: true })
      if (severity !== 'silence' && account.silencedByDomain) Object.assign(account, { isSilenced: false, silencedByDomain: false })
      if (severity === 'suspend' && !account.isSuspended) Object.assign(account, { isSuspended: true, suspendedByDomain: true })
      if (severity !== 'suspend' && account.suspendedByDomain) Object.assign(account, { isSuspended: false, suspendedByDomain: false })
      if (account.suspendedByDomain) this.cut(account.id)
    }
  }

  cut(id: string): void {
    for (const pairs of [this.follows, this.requests]) for (const pair of pairs) if (pair.split(' ').includes(id)) pairs.delete(pair)
  }
}

const settings = ({ random }: Stage) => ({
  ...(random.chance(0.8) ? { severity: random.of(SEVERITIES) } : {}),
  ...(random.chance(0.4) ? { reject_media: random.chance(0.5) } : {}),
  ...(random.chance(0.3) ? { reject_reports: random.chance(0.5) } : {}),
  ...(random.chance(0.3) ? { obfuscate: random.chance(0.5) } : {}),
  ...(random.chance(0.3) ? { private_comment: random.of(['loud', '']) } : {}),
  ...(random.chance(0.3) ? { public_comment: random.of(['Loud.', '']) } : {}),
})

const withNulls = (form: Json) => ({
  ...form,
  ...('private_comment' in form ? { private_comment: form.private_comment || null } : {}),
  ...('public_comment' in form ? { public_comment: form.public_comment || null } : {}),
})

const KEY = 'domains'

const acting = (stage: Stage, domains: Domains) => {
  const { random, staff, people, accounts } = stage
  const { may } = judging(stage)
  const by = () => random.of(random.chance(0.1) ? people : staff)
  const fixedOf = (domain: string, { id: actor }: { id: string }) => [
    `account ${actor}`,
    ...[...accounts.values()].filter((each) => each.domain && covering(each.domain).includes(domain)).map(({ id }) => `account ${id}`),
  ]
  const create: Maker = () => {
    const [one, domain, form] = [by(), random.of(NAMES), settings(stage)]
    const wanted = { ...DEFAULTS, ...withNulls(form), id: '', domain } as Block
    const existing = domains.blockOf(domain)
    const isCovered = existing && (existing.domain === domain || !isStricter(wanted, existing))
    return {
      ...request(one, 'POST', PATH, { domain, ...form }),
      wanted: !may(one, PERMISSIONS.manageFederation) ? 403 : isCovered ? 422 : 200,
      ...{ keys: [KEY, `limits ${domain}`], fixed: fixedOf(domain, one) },
      done: ({ id }) => {
        domains.blocks.set(domain, { ...wanted, id })
        domains.limit(domain, accounts.values())
      },
    }
  }
  const some = () => (domains.blocks.size > 0 ? random.of([...domains.blocks.values()]) : undefined)
  const change: Maker = () => {
    const [one, block, form] = [by(), some(), settings(stage)]
    return (
      block && {
        ...request(one, 'PUT', `${PATH}/${block.id}`, form),
        wanted: may(one, PERMISSIONS.manageFederation) ? 200 : 403,
        ...{ keys: [KEY, `limits ${block.domain}`], fixed: fixedOf(block.domain, one) },
        done: () => {
          Object.assign(block, withNulls(form))
          domains.limit(block.domain, accounts.values())
        },
      }
    )
  }
  const remove: Maker = () => {
    const [one, block] = [by(), some()]
    return (
      block && {
        ...request(one, 'DELETE', `${PATH}/${block.id}`),
        wanted: may(one, PERMISSIONS.manageFederation) ? 200 : 403,
        ...{ keys: [KEY, `limits ${block.domain}`], fixed: fixedOf(block.domain, one) },
        done: () => {
          domains.blocks.delete(block.domain)
          domains.limit(block.domain, accounts.values())
        },
      }
    )
  }
  return { create, change, remove }
}

/** People here follow people elsewhere, and are followed by them. */
const befriending = ({ world, random, people, accounts }: Stage, domains: Domains): Maker => {
  return () => {
    const pair = [accounts.get(random.of(people).id)!, random.of([...accounts.values()])] as const
    const [from, to] = random.chance(0.6) ? pair : [pair[1], pair[0]]
    const name = `${from.id} ${to.id}`
    if (from === to || domains.follows.has(name) || from.isSuspended || from.isDisabled) return undefined
    return {
      what: `${from.username} follows ${to.username}`,
      send: () => called(() => following(world, from, to)),
      wanted: to.isSuspended ? 404 : to.movedTo ? 403 : 200,
      keys: [],
      fixed: [`account ${from.id}`, `account ${to.id}`, KEY],
      done: () => domains.follows.add(name),
    }
  }
}

const compareBlocks = async ({ viewer, compare }: Asked, domains: Domains) => {
  const { body } = await viewer.get(`${PATH}?limit=200`)
  const wanted = [...domains.blocks.values()].toSorted((one, other) => Number(BigInt(other.id) - BigInt(one.id)))
  compare(
    'domain blocks',
    body.map(({ domain }: Json) => domain),
    wanted.map(({ domain }) => domain),
  )
  for (const block of wanted)
    compareFields(
      { compare },
      `block of ${block.domain}`,
      body.find(({ id }: Json) => id === block.id),
      block,
    )
}

const comparePublic = async ({ viewer, compare }: Asked, domains: Domains) => {
  const { body } = await viewer.get('/api/v1/instance/domain_blocks')
  const wanted = [...domains.blocks.values()].filter(({ severity }) => severity !== 'noop')
  const sorted = (some: string[]) => some.toSorted()
  compare(
    'public blocks',
    sorted(body.map(({ severity, comment, domain }: Json) => `${domain.includes('*') || domain} ${severity} ${comment}`)),
    sorted(wanted.map((each) => `${each.obfuscate || each.domain} ${each.severity} ${each.public_comment ?? ''}`)),
  )
}

const compareFollows = async ({ viewer, compare }: Asked, { accounts }: Stage, domains: Domains) => {
  const ids = [...accounts.values()].filter(({ domain }) => domain).map(({ id }) => id)
  const { body } = await viewer.get(`/api/v1/accounts/relationships?with_suspended=true&${ids.map((id) => `id[]=${id}`).join('&')}`)
  for (const { id, following: follows, followed_by: followedBy } of body) {
    const name = accounts.get(id)!.username
    compare(`follow of ${name}`, follows, domains.follows.has(`${viewer.id} ${id}`))
    compare(`followed by ${name}`, followedBy, domains.follows.has(`${id} ${viewer.id}`))
  }
  const { body: own } = await viewer.get('/api/v1/accounts/verify_credentials')
  const count = (index: 0 | 1) => [...domains.follows].filter((pair) => pair.split(' ')[index] === viewer.id).length
  compare('counts of follows', [own.following_count, own.followers_count], [count(0), count(1)])
}

/** Files of domains whose files staff reject, and of suspended ones, are not shown. */
const comparePictures = async ({ viewer, compare }: Asked, { accounts }: Stage, domains: Domains) => {
  for (const { id, username, domain, isSuspended } of accounts.values()) {
    if (!domain) continue
    const { body } = await viewer.get(`/api/v1/accounts/${id}`)
    const isHidden = isSuspended || Boolean(domains.blockOf(domain)?.reject_media)
    compare(`${username} has no avatar`, body.avatar.endsWith('/missing.png'), isHidden)
  }
}

export const domainsArea = (stage: Stage, domains: Domains): Area => {
  const { accounts, owner } = stage
  const { create, change, remove } = acting(stage, domains)
  const { may } = judging(stage)
  return {
    makers: [
      [9, create],
      [6, change],
      [6, remove],
      [8, befriending(stage, domains)],
    ],
    learn: async (raced) => {
      if (!raced.has(KEY)) return
      const { body } = await owner.get(`${PATH}?limit=200`)
      domains.blocks.clear()
      for (const { created_at: _, digest: __, ...block } of body) domains.blocks.set(block.domain, block)
      for (const name of NAMES) if (raced.has(`limits ${name}`)) domains.limit(name, accounts.values())
      const rows = await stage.world.query('select account_id, target_id from statuses.follow')
      domains.follows.clear()
      for (const row of rows) domains.follows.add(`${row.account_id} ${row.target_id}`)
    },
    undo: () =>
      [...domains.blocks.values()].map(
        (block): Act => ({
          ...request(owner, 'DELETE', `${PATH}/${block.id}`),
          ...{ wanted: 200, keys: [] },
          done: () => {
            domains.blocks.delete(block.domain)
            domains.limit(block.domain, accounts.values())
          },
        }),
      ),
    compare: async (asked) => {
      const own = accounts.get(asked.viewer.id)
      if (own && !judging(stage).isIn(asked.viewer)) return
      if (own && may(asked.viewer, PERMISSIONS.manageFederation)) await compareBlocks(asked, domains)
      await comparePublic(asked, domains)
      await comparePictures(asked, stage, domains)
      if (own) await compareFollows(asked, stage, domains)
    },
  }
}
