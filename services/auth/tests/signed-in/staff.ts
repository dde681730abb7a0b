import { innerCall } from '@rookery/test-world/calls'
import type { Login } from './facts.ts'
import { DAY, type Maker, type Stage } from './stage.ts'

// What staff and operators do to logins.

const ACTS = ['disable', 'enable', 'enable', 'suspend', 'unsuspend', 'unsuspend'] as const
const EFFECTS: Record<(typeof ACTS)[number], Partial<Login>> = {
  disable: { isDisabled: true },
  enable: { isDisabled: false },
  suspend: { isSuspended: true },
  unsuspend: { isSuspended: false },
}
const MAILED: Partial<Record<(typeof ACTS)[number], string>> = { disable: 'disabled', suspend: 'suspended' }

const acting = ({ random, facts, owner, compare }: Stage): Maker => {
  return () => {
    const login = random.of(facts.logins.filter(({ isDisabled, isSuspended }) => isDisabled || isSuspended || random.chance(0.3)))
    if (!login) return undefined
    const [act, isMailed] = [random.of(ACTS), random.chance(0.5)]
    const kind = MAILED[act]
    const run = async () => {
      const path = `/api/v1/admin/accounts/${login.id}`
      const { status } = kind
        ? await owner.post(`${path}/action`, { type: act, send_email_notification: isMailed })
        : await owner.post(`${path}/${act}`)
      compare('the status', status, login.isGone ? 404 : 200)
      if (login.isGone) return
      Object.assign(login, EFFECTS[act])
      if (kind && isMailed) facts.mails.push([kind, login.email])
    }
    return { what: `staff ${act} ${login.username}`, run }
  }
}

/** The operator's commands for a person who lost a password, a second factor or a device. */
const helping = ({ world, random, facts, compare, secrets }: Stage): Maker => {
  return () => {
    const login = random.of(facts.logins.filter(({ isGone }) => !isGone))
    const { username } = login
    const operator = world.operator()
    const commands = {
      'a link': async () => {
        const { link } = await operator.resetPassword(innerCall(), { username, byMail: false })
        secrets.add(new URL(link).searchParams.get('token') ?? '')
        facts.links.push({ kind: 'reset', path: link, login, email: login.email, until: facts.now() + DAY, isOver: false })
      },
      'a mail': async () => {
        await operator.resetPassword(innerCall(), { username, byMail: true })
        facts.mails.push(['reset', login.email])
      },
      'no second factor': async () => {
        await operator.disableSecondFactor(innerCall(), { username })
        if (!login.factor) return
        login.factor = undefined
        login.version++
        facts.mails.push(['secondFactorOff', login.email])
      },
      'no tokens': async () => {
        const good = facts.tokens.filter((token) => token.login === login && !token.isRevoked).length
        const { count } = await operator.revokeToken(innerCall(), { accessToken: '', username })
        compare('revoked tokens', count, good)
        facts.endApps(login)
      },
    }
    const command = random.of(Object.keys(commands) as (keyof typeof commands)[])
    return { what: `the operator gives ${username} ${command}`, run: commands[command] }
  }
}

export const helpingOut = (stage: Stage): (readonly [weight: number, make: Maker])[] => [
  [3, acting(stage)],
  [2, helping(stage)],
]
