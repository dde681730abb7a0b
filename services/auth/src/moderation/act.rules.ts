import type { ApplyActRequest } from '@rookery/contracts/statuses'
import { invalid } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Login, LoginChange } from '../logins/index.ts'
import type { NoticeKind } from '../web/html/index.ts'

/** What an act on an account changes: of the login here, of the account at statuses. A warning may be told by mail, with a text. */
export type Act = {
  login?: (before: Login, now: Date) => LoginChange
  /** As what statuses gets the statuses that the act is on. */
  statuses?: 'deletedStatusIds' | 'sensitiveStatusIds'
  account?: Pick<ApplyActRequest, 'isSilenced' | 'isSuspended' | 'isSensitized' | 'isMemorial'>
  /** The mail that tells of it: where it is asked for, or where something changed. */
  warning?: NoticeKind
  news?: NoticeKind
}

/** Everything that staff and operators may do to an account but end it. */
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
 * Whether an act of staff answers all open reports on an account: one that limits it does. A warning alone answers the report it names, since
 * others may say something more (beyond-the-spec 2.6; as upstream does it).
 */
export const answersAllReports = (action: ActName, { staffId }: { staffId?: string | undefined }): boolean =>
  Boolean(staffId) && ['sensitive', 'disable', 'silence', 'suspend'].includes(action)

/** Statuses that one act is on at most. */
const MAX_STATUSES = 100

/** The statuses that an act is on, each once; none for other acts. @throws Failure invalid for none, and for too many */
export const chosenStatuses = (act: Act, statusIds: readonly string[]): string[] => {
  if (!act.statuses) return []
  const chosen = [...new Set(statusIds.filter(isId))]
  if (chosen.length === 0) throw invalid("Status ids can't be blank")
  if (chosen.length > MAX_STATUSES) throw invalid(`Status ids are too many (maximum is ${MAX_STATUSES})`)
  return chosen
}

/** The statuses that an act is on, as statuses gets them. */
export const onStatuses = (act: Act, statusIds: readonly string[]): Pick<ApplyActRequest, 'deletedStatusIds' | 'sensitiveStatusIds'> => ({
  deletedStatusIds: [],
  sensitiveStatusIds: [],
  ...(act.statuses && { [act.statuses]: [...statusIds] }),
})

/** Whether an act is on statuses, and not on an account alone. */
export const isOnStatuses = (name: ActName): boolean => 'statuses' in ACTS[name]

/** Whether a text names an act. */
export const isActName = (text: string): text is ActName => Object.hasOwn(ACTS, text)

/** Acts that people see and may appeal: all that a warning goes with. */
export const STRIKES = (Object.keys(ACTS) as ActName[]).filter((name) => 'warning' in ACTS[name])

/** The mail that tells someone of an act; undefined for one that warns no one. */
export const warningOf = (name: string): NoticeKind | undefined => {
  const act: Act | undefined = isActName(name) ? ACTS[name] : undefined
  return act?.warning
}

/** Acts that end an account. */
export type EndName = 'reject' | 'delete'

/** Whether a text names an act that ends an account. */
export const isEndName = (text: string): text is EndName => text === 'reject' || text === 'delete'

/** Whether an act of staff fits the state of an account: who waits for approval is approved or rejected, who is suspended is deleted. */
export const isFitting = (action: ActName | EndName, { approvedAt, suspendedAt }: Pick<Login, 'approvedAt' | 'suspendedAt'>): boolean => {
  if (action === 'approve' || action === 'reject') return approvedAt === null
  return action !== 'delete' || suspendedAt !== null
}
