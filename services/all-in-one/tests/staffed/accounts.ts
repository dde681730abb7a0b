import { PERMISSIONS, ROLES, type RoleName, rolesWith } from '@rookery/contracts/permissions'
import type { Account, Act, Area, Asked, Json, Maker, Stage } from './stage.ts'
import { compareFields, idsOf, judging, request } from './stage.ts'

// What staff decide about accounts, and what the accounts and others see of it (beyond-the-spec 1.15, 2.6).

const PATH = '/api/v1/admin/accounts'
const TYPES = ['none', 'sensitive', 'disable', 'silence', 'suspend'] as const
const UNDONE = ['unsensitive', 'enable', 'unsilence', 'unsuspend'] as const

export const apply = (account: Account, type: string): void => {
  if (type === 'sensitive' || type === 'unsensitive') account.isSensitized = type === 'sensitive'
  if (type === 'disable' || type === 'enable') account.isDisabled = type === 'disable'
  if (type === 'silence' || type === 'unsilence') Object.assign(account, { isSilenced: type === 'silence', silencedByDomain: false })
  if (type === 'suspend' || type === 'unsuspend') Object.assign(account, { isSuspended: type === 'suspend', suspendedByDomain: false })
}

/** The acts that take back all that staff decided about an account. */
const undone = ({ isSensitized, isDisabled, isSilenced, isSuspended }: Account) =>
  UNDONE.filter((_, index) => [isSensitized, isDisabled, isSilenced, isSuspended][index])

const isRemote = ({ domain }: Account) => domain !== undefined

/** Told of each act that an account is warned of. */
export type OnAct = (account: Account, by: string, act: { type: string; isTold: boolean }) => void

const acting = (stage: Stage, onAct: OnAct) => {
  const { random, staff, people, accounts } = stage
  const { account, may, outranks } = judging(stage)
  const by = () => random.of(random.chance(0.15) ? people : staff)
  const target = () => random.of([...accounts.values()].filter(({ role }) => random.chance(role === 'user' ? 1 : 0.4)))
  const statusOf = (one: { id: string }, id: string, type: string) => {
    if (!may(one, PERMISSIONS.manageUsers) || !outranks(one, id)) return 403
    return isRemote(account(id)) && (type === 'disable' || type === 'enable') ? 403 : 200
  }
  const act: Maker = () => {
    const [one, other, type, isTold] = [by(), target(), random.of(TYPES), random.chance(0.5)]
    if (!other) return undefined
    return {
      ...request(one, 'POST', `${PATH}/${other.id}/action`, { type, text: 'Tea.', send_email_notification: isTold }),
      wanted: statusOf(one, other.id, type),
      keys: [`account ${other.id}`, `reports ${other.id}`],
      fixed: [`account ${one.id}`],
      done: () => {
        apply(other, type)
        onAct(other, one.id, { type, isTold })
      },
    }
  }
  const undo: Maker = () => {
    const limited = [...accounts.values()].filter((each) => each.isDisabled || each.isSilenced || each.isSuspended || each.isSensitized)
    const [one, other, type] = [by(), random.chance(0.8) && limited.length > 0 ? random.of(limited) : target(), random.of(UNDONE)]
    if (!other) return undefined
    return {
      ...request(one, 'POST', `${PATH}/${other.id}/${type}`),
      wanted: statusOf(one, other.id, type),
      keys: [`account ${other.id}`],
      fixed: [`account ${one.id}`],
      done: () => apply(other, type),
    }
  }
  return { act, undo }
}

const adminShown = (account: Account) => ({
  id: account.id,
  username: account.username,
  domain: account.domain ?? null,
  disabled: account.isDisabled,
  silenced: account.isSilenced,
  suspended: account.isSuspended,
  sensitized: account.isSensitized,
  ...(account.domain === undefined ? { confirmed: true, approved: true, email: `${account.username}@example.org` } : {}),
})

/** Filters of both versions of the list, and which accounts they match. */
const FILTERS: [path: string, matches: (account: Account) => boolean][] = [
  [`${PATH}?`, (each) => !isRemote(each) && !each.isSuspended],
  [`${PATH}?local=true`, (each) => !isRemote(each) && !each.isSuspended],
  [`${PATH}?remote=true`, (each) => isRemote(each) && !each.isSuspended],
  [`${PATH}?silenced=true`, (each) => !isRemote(each) && each.isSilenced],
  [`${PATH}?suspended=true&remote=true`, (each) => isRemote(each) && each.isSuspended],
  [`${PATH}?sensitized=true`, (each) => !isRemote(each) && each.isSensitized],
  [`${PATH}?disabled=true`, (each) => each.isDisabled],
  [`${PATH}?active=true&silenced=true`, (each) => !isRemote(each) && each.isSilenced && !each.isSuspended],
  [`${PATH}?staff=true`, (each) => each.role !== 'user' && !each.isSuspended],
  ['/api/v2/admin/accounts?', () => true],
  ['/api/v2/admin/accounts?origin=local', (each) => !isRemote(each)],
  ['/api/v2/admin/accounts?origin=remote', isRemote],
  ['/api/v2/admin/accounts?status=active', (each) => !each.isSuspended],
  ['/api/v2/admin/accounts?status=silenced', (each) => each.isSilenced],
  ['/api/v2/admin/accounts?status=suspended', (each) => each.isSuspended],
  ['/api/v2/admin/accounts?status=disabled', (each) => each.isDisabled],
  ['/api/v2/admin/accounts?status=suspended&origin=local', (each) => !isRemote(each) && each.isSuspended],
  ['/api/v2/admin/accounts?permissions=staff', (each) => each.role !== 'user'],
  ['/api/v2/admin/accounts?role_ids[]=1', (each) => each.role === 'moderator'],
  ['/api/v2/admin/accounts?by_domain=far.example', (each) => each.domain === 'far.example'],
  ['/api/v2/admin/accounts?status=silenced&username=user', (each) => each.isSilenced && each.username.startsWith('user')],
]

const compareAsStaff = async ({ viewer, compare }: Asked, { accounts, random }: Stage) => {
  for (const account of accounts.values()) {
    const { body } = await viewer.get(`${PATH}/${account.id}`)
    compareFields({ compare }, `admin ${account.username}`, body, adminShown(account))
    compare(`admin ${account.username} role`, body.role?.id, isRemote(account) ? undefined : ROLES[account.role].id)
    compare(`admin ${account.username} marks`, [body.account?.limited, body.account?.suspended], marksOf(account))
  }
  for (const [path, matches] of FILTERS) {
    if (random.chance(0.3)) continue
    const { body } = await viewer.get(`${path}&limit=200`)
    compare(path, idsOf(body.filter(({ id }: Json) => accounts.has(id))), idsOf([...accounts.values()].filter(matches)))
  }
}

const marksOf = ({ isSilenced, isSuspended }: Account) => [isSilenced || undefined, isSuspended || undefined]

/** What anyone sees of accounts, and of one status of each. */
const compareAsAnyone = async ({ viewer, compare }: Asked, { accounts }: Stage) => {
  const all = [...accounts.values()]
  const query = all.map(({ id }) => `id[]=${id}`).join('&')
  const { body: shown } = await viewer.get(`/api/v1/accounts?${query}`)
  compare('accounts', idsOf(shown), idsOf(all))
  for (const account of all) {
    const is: Json = shown.find(({ id }: Json) => id === account.id)
    compare(`${account.username} marks`, [is?.limited, is?.suspended], marksOf(account))
    compare(`${account.username} display_name`, is?.display_name, account.isSuspended ? '' : `The ${account.username}`)
    const roles = isRemote(account) ? undefined : account.isSuspended || account.role === 'user' ? [] : [ROLES[account.role].id]
    compare(
      `${account.username} roles`,
      is?.roles?.map(({ id }: Json) => id),
      roles,
    )
  }
  const statuses = all.map(({ statusId }) => `id[]=${statusId}`).join('&')
  const { body: found } = await viewer.get(`/api/v1/statuses?${statuses}`)
  const open = all.filter(({ isSuspended }) => !isSuspended)
  const isOfStage = ({ id }: Json) => all.some(({ statusId }) => statusId === id)
  const ids = (some: readonly Account[]) => some.map(({ statusId }) => statusId).toSorted()
  compare('statuses', idsOf(found), ids(open))
  const listed = open.filter(({ isSilenced }) => !isSilenced)
  for (const path of ['/api/v1/timelines/public?limit=40', '/api/v1/timelines/tag/tea?limit=40']) {
    const { body } = await viewer.get(path)
    compare(path, idsOf(body.filter(isOfStage)), ids(listed))
  }
  for (const { id, username, statusId, isSuspended } of all) {
    const { body } = await viewer.get(`/api/v1/accounts/${id}/statuses`)
    compare(`statuses of ${username}`, idsOf(body.filter(isOfStage)), isSuspended ? [] : [statusId])
  }
}

const compareSearches = async ({ viewer, compare }: Asked, { accounts }: Stage, isFollowed: (by: string, id: string) => boolean) => {
  const isFound = (account: Account) =>
    !account.isSuspended && !account.isDisabled && (!account.isSilenced || isFollowed(viewer.id, account.id))
  for (const [path, suits] of [
    ['/api/v2/search?type=accounts&limit=40&q=stranger', ({ username }: Account) => username.startsWith('stranger')],
    ['/api/v1/accounts/search?limit=40&q=user', ({ username }: Account) => username.startsWith('user')],
  ] as const) {
    const { body } = await viewer.get(path)
    const wanted = [...accounts.values()].filter((each) => suits(each) && isFound(each))
    compare(path, idsOf(body.accounts ?? body), idsOf(wanted))
  }
  for (const account of accounts.values()) {
    const acct = account.domain ? `${account.username}@${account.domain}` : account.username
    const { status, body } = await viewer.get(`/api/v1/accounts/lookup?acct=${acct}`)
    compare(`lookup ${acct}`, [status, body.id], [200, account.id])
    const { body: exact } = await viewer.get(`/api/v1/accounts/search?q=${acct}&limit=1`)
    const isThere = !account.isSuspended && !account.isDisabled
    compare(`search ${acct}`, isThere ? exact[0]?.id : exact.some(({ id }: Json) => id === account.id), isThere ? account.id : false)
  }
}

const compareDirectory = async ({ viewer, compare }: Asked, { accounts }: Stage) => {
  const { body } = await viewer.get('/api/v1/directory?limit=80')
  const wanted = [...accounts.values()].filter((each) => !each.isSuspended && !each.isSilenced && !each.isDisabled && !each.movedTo)
  compare('directory', idsOf(body), idsOf(wanted))
}

const compareOwn = async ({ viewer, compare }: Asked, account: Account) => {
  const { status, body } = await viewer.get('/api/v1/accounts/verify_credentials')
  const isOut = account.isDisabled || account.isSuspended
  compare('verify_credentials', [status, body.error], isOut ? [403, 'Your login is currently disabled'] : [200, undefined])
  if (!isOut) compare('own role', body.role.id, ROLES[account.role].id)
}

const MANAGERS = new Set<RoleName>(rolesWith(PERMISSIONS.manageUsers))

export const accountsArea = (
  stage: Stage,
  { isFollowed, onAct }: { isFollowed: (by: string, id: string) => boolean; onAct: OnAct },
): Area => {
  const { accounts, owner } = stage
  const { act, undo } = acting(stage, onAct)
  return {
    makers: [
      [24, act],
      [12, undo],
    ],
    learn: async (raced) => {
      for (const account of accounts.values()) {
        if (!raced.has(`account ${account.id}`)) continue
        const { body } = await owner.get(`${PATH}/${account.id}`)
        const { disabled, silenced, suspended, sensitized } = body
        if (silenced !== account.isSilenced) account.silencedByDomain = false
        if (suspended !== account.isSuspended) account.suspendedByDomain = false
        Object.assign(account, { isDisabled: disabled, isSilenced: silenced, isSuspended: suspended, isSensitized: sensitized })
      }
    },
    undo: () =>
      [...accounts.values()].flatMap((account) =>
        undone(account).map(
          (type): Act => ({
            ...request(owner, 'POST', `${PATH}/${account.id}/${type}`),
            ...{ wanted: 200, keys: [], done: () => apply(account, type) },
          }),
        ),
      ),
    compare: async (asked) => {
      const own = accounts.get(asked.viewer.id)
      if (own) await compareOwn(asked, own)
      if (own && (own.isDisabled || own.isSuspended)) return
      if (own && MANAGERS.has(own.role)) await compareAsStaff(asked, stage)
      await compareAsAnyone(asked, stage)
      await compareDirectory(asked, stage)
      if (own) await compareSearches(asked, stage, isFollowed)
    },
  }
}
