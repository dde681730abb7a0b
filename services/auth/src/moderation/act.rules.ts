import type { ApplyActRequest } from '@rookery/contracts/statuses'
import { invalid } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Login, LoginChange } from '../logins/index.ts'
import type { NoticeKind } from '../web/html/index.ts'

/** The effects of an act: changes of the login, of the account in statuses, and of chosen statuses. */
export type Act = {
  login?: (before: Login, now: Date) => LoginChange
  /** The field of the request that carries the chosen statuses. */
  statuses?: 'deletedStatusIds' | 'sensitiveStatusIds'
  account?: Pick<ApplyActRequest, 'isSilenced' | 'isSuspended' | 'isSensitized' | 'isMemorial'>
  /** The mails about an act: `warning` is sent on request, with a text; `news` if the login changed. */
  warning?: NoticeKind
  news?: NoticeKind
}

/** All acts of staff and operators on an account, except those that end it. */
export const ACTS = {
  none: { warning: 'warned' },
  delete_statuses: { statuses: 'deletedStatusIds', warning: 'statusesDeleted' },
  mark_statuses_as_sensitive: { statuses: 'sensitiveStatusIds', warning: 'statusesMarked' },
  sensitive: { account: { isSensitized: true }, warning: 'sensitized' },
  disable: { login: ({ disabledAt }, now) => ({ disabledAt: disabledAt ?? now }), warning: 'disabled' },
  silence: { account: { isSilenced: true }, warning: 'silenced' },
  suspend: { login: ({ suspendedAt }, now) => ({ suspendedAt: suspendedAt ?? now }), account: { isSuspended: true }, warning: 'suspended' },
  approve: { login: (_before, now) => ({ approvedAt: now }), news: 'approved' },
  enable: { login: () => ({ disabledAt: null }) },
  unsensitive: { account: { isSensitized: false } },
  unsilence: { account: { isSilenced: false } },
  unsuspend: { login: () => ({ suspendedAt: null }), account: { isSuspended: false } },
  memorialize: { login: ({ memorialAt }, now) => ({ memorialAt: memorialAt ?? now }), account: { isMemorial: true } },
  unmemorialize: { login: () => ({ memorialAt: null }), account: { isMemorial: false } },
} as const satisfies Readonly<Record<string, Act>>

export type ActName = keyof typeof ACTS

/**
 * Whether an act resolves all open reports on an account: acts of staff that limit it do. A warning alone resolves only its own report,
 * since others may be about something else (beyond-the-spec 2.6; as in Mastodon).
 */
export const answersAllReports = (action: ActName, { staffId }: { staffId?: string | undefined }): boolean =>
  Boolean(staffId) && ['sensitive', 'disable', 'silence', 'suspend'].includes(action)

/** The maximum number of statuses of an act. */
const MAX_STATUSES = 100

/** The distinct statuses of an act; empty for an act on no statuses. @throws Failure invalid for none or too many */
export const chosenStatuses = (act: Act, statusIds: readonly string[]): string[] => {
  if (!act.statuses) return []
  const chosen = [...new Set(statusIds.filter(isId))]
  if (chosen.length === 0) throw invalid("Status ids can't be blank")
  if (chosen.length > MAX_STATUSES) throw invalid(`Status ids are too many (maximum is ${MAX_STATUSES})`)
  return chosen
}

/** The statuses of an act, as fields of the request to statuses. */
export const onStatuses = (act: Act, statusIds: readonly string[]): Pick<ApplyActRequest, 'deletedStatusIds' | 'sensitiveStatusIds'> => ({
  deletedStatusIds: [],
  sensitiveStatusIds: [],
  ...(act.statuses && { [act.statuses]: [...statusIds] }),
})

/** Whether an act is on statuses, rather than on an account alone. */
export const isOnStatuses = (name: ActName): boolean => 'statuses' in ACTS[name]

/** Whether a text is the name of an act. */
export const isActName = (text: string): text is ActName => Object.hasOwn(ACTS, text)

/** Strikes: the acts with a warning, which their account sees and may appeal. */
export const STRIKES = (Object.keys(ACTS) as ActName[]).filter((name) => 'warning' in ACTS[name])

/** The mail about an act; undefined if it has none. */
export const warningOf = (name: string): NoticeKind | undefined => {
  const act: Act | undefined = isActName(name) ? ACTS[name] : undefined
  return act?.warning
}

/** Acts that end an account. */
export type EndName = 'reject' | 'delete'

/** Whether a text is the name of an act that ends an account. */
export const isEndName = (text: string): text is EndName => text === 'reject' || text === 'delete'

/** Whether an act fits the state of an account: only unapproved ones can be approved or rejected, and only suspended ones deleted. */
export const isFitting = (action: ActName | EndName, { approvedAt, suspendedAt }: Pick<Login, 'approvedAt' | 'suspendedAt'>): boolean => {
  if (action === 'approve' || action === 'reject') return approvedAt === null
  return action !== 'delete' || suspendedAt !== null
}
