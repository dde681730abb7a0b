import { StaffAccountsDefinition } from '@rookery/contracts/auth'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import { signIn } from '@rookery/test-world/page-browser'
import { apply } from './accounts.ts'
import type { Area, Json, Maker, Stage } from './stage.ts'
import { called, judging } from './stage.ts'

// Which acts on their account people are notified of, their appeals, and what staff decide about these.

const REVERSALS: Readonly<Record<string, string>> = {
  sensitive: 'unsensitive',
  disable: 'enable',
  silence: 'unsilence',
  suspend: 'unsuspend',
}

export class Strikes {
  /** The acts that an account was notified of. */
  readonly notified = new Map<string, string[]>()
  /** Appeals by the id of the act. */
  readonly appeals = new Map<string, { by: string; action: string; state: string }>()

  add(id: string, type: string): void {
    this.notified.set(id, [...(this.notified.get(id) ?? []), type])
  }
}

/** Whether an act is still to be reversed: nothing reversed it, and it was not repeated. */
const isInForce = (log: readonly Json[], id: string, action: string) =>
  !log.some((act) => BigInt(act.id) > BigInt(id) && (act.action === REVERSALS[action] || act.action === action))

export const strikesArea = (stage: Stage, strikes: Strikes): Area => {
  const { world, random, staff, people } = stage
  const { may, isIn, outranks, account } = judging(stage)
  const client = innerClient(world, StaffAccountsDefinition)
  /** What is known of the acts on accounts, as the last comparison found it. */
  const known = new Map<string, { by: string; action: string }>()
  let log: Json[] = []
  const appeal: Maker = () => {
    const open = [...known].filter(([id, { by }]) => !strikes.appeals.has(id) && isIn({ id: by }))
    if (open.length === 0) return undefined
    const [id, { by, action }] = random.of(open)
    const person = people.find((each) => each.id === by)
    const isOpen = !log.some((act) => act.account_id === by && BigInt(act.id) > BigInt(id) && act.action === REVERSALS[action])
    if (!person || !isOpen) return undefined
    return {
      what: `${person.username} appeals ${action} ${id}`,
      send: async () => {
        const browser = await signIn(world, person)
        const { status, text } = await browser.submit(await browser.visit(`/disputes/strikes/${id}`), { text: 'Sorry.' })
        return { status, text: status === 200 ? '' : text.slice(0, 200) }
      },
      wanted: 200,
      ...{ keys: [], fixed: [`account ${by}`] },
      done: () => strikes.appeals.set(id, { by, action, state: 'pending' }),
    }
  }
  const decide: Maker = () => {
    const pending = [...strikes.appeals].filter(([, { state }]) => state === 'pending' || random.chance(0.1))
    const by = random.of(staff)
    if (pending.length === 0 || !may(by, PERMISSIONS.manageAppeals)) return undefined
    const [[id, of], isApproved] = [random.of(pending), random.chance(0.6)]
    const wanted = !outranks(by, of.by) ? 403 : of.state === 'pending' ? 200 : 404
    const reverses =
      isApproved &&
      REVERSALS[of.action] &&
      isInForce(
        log.filter(({ account_id: about }) => about === of.by),
        id,
        of.action,
      )
    return {
      what: `${by.username} ${isApproved ? 'approves' : 'rejects'} the appeal of ${of.action} ${id}`,
      send: () => called(() => client.decideAppeal(innerCall(), { id, staffId: by.id, isApproved })),
      wanted,
      ...{ keys: [], fixed: [`account ${of.by}`, `account ${by.id}`] },
      done: () => {
        of.state = isApproved ? 'approved' : 'rejected'
        if (reverses) apply(account(of.by), REVERSALS[of.action]!)
      },
    }
  }
  return {
    makers: [
      [10, appeal],
      [8, decide],
    ],
    learn: async () => {
      log = await world.query('select id, account_id, action from auth.staff_act order by id')
    },
    compare: async ({ viewer, compare }) => {
      if (!viewer.id || !isIn(viewer)) return
      const { body } = await viewer.get('/api/v1/notifications?types[]=moderation_warning&limit=30')
      const notified = strikes.notified.get(viewer.id) ?? []
      compare('warnings', body.map(({ moderation_warning: { action } }: Json) => action).toSorted(), notified.slice(-30).toSorted())
      for (const { account: recipient, moderation_warning: warning } of body) {
        known.set(warning.id, { by: viewer.id, action: warning.action })
        compare(`warning ${warning.id} is about`, [recipient.id, warning.target_account.id], [viewer.id, viewer.id])
        compare(`appeal of ${warning.id}`, warning.appeal?.state, strikes.appeals.get(warning.id)?.state)
      }
    },
  }
}
