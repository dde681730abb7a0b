import type { PageAnswer } from '@rookery/test-world'
import { fromBase32 } from '../../src/credentials/second-factors/base32.ts'
import { codeOf, stepAt } from '../../src/credentials/second-factors/totp.rules.ts'
import type { Link, Login, Session } from './facts.ts'
import { type Maker, newBrowser, newPassword, proof, type Stage, said } from './stage.ts'

// Passwords, addresses and second factors: the forms of a signed-in person, and the links that are mailed.

const WRONG = ['This is not your password', 'This code is wrong'] as const

/** A form of a signed-in person, which asks for the password again. `done` is what is said and done if it is right. */
type Form = {
  what: string
  path: string
  fields?: Record<string, string>
  which?: string
  wanted: (login: Login) => readonly [status: number, text: string]
  done: (login: Login, page: PageAnswer) => void
}

const sending = (stage: Stage, draw: (session: Session) => Form | undefined): Maker => {
  const { random, facts, compare } = stage
  return () => {
    const session = facts.session(random)
    const form = session && draw(session)
    if (!session || !form) return undefined
    const { browser, login } = session
    const run = async () => {
      const page = await browser.visit(form.path)
      compare('whether the form is there', page.text.includes('name="current_password"'), facts.isIn(session))
      if (!facts.isIn(session)) return
      const { fields, take } = proof(stage, login)
      const answered = await browser.submit(page, { ...fields, ...form.fields }, form.which)
      const isProved = take()
      const wanted = isProved ? form.wanted(login) : ([401, WRONG.find((text) => answered.text.includes(text)) ?? WRONG[0]] as const)
      compare('the answer', said(answered, wanted[1]), [...wanted])
      if (isProved && wanted[0] === 200) form.done(login, answered)
    }
    return { what: `${login.username} ${form.what}`, by: login, run }
  }
}

const changingPassword = (stage: Stage): Maker =>
  sending(stage, () => {
    const password = stage.random.chance(0.9) ? newPassword(stage) : 'short'
    return {
      what: `sets the password ${password}`,
      path: '/auth/account/password',
      fields: { password },
      wanted: () => (password === 'short' ? [422, 'At least 8 characters'] : [200, 'Your password is changed']),
      done: (login) => stage.facts.changePassword(login, password),
    }
  })

const ADDRESSES = ['one@example.net', 'two@example.net', 'three@example.net', 'four@example.net']

const changingEmail = (stage: Stage): Maker => {
  const { random, facts } = stage
  return sending(stage, () => {
    const email = random.of(ADDRESSES)
    return {
      what: `asks for the address ${email}`,
      path: '/auth/account/email',
      fields: { email },
      wanted: () => (facts.named(email) ? [422, 'There is an account with this address already'] : [200, 'Look into your mail']),
      done: (login) => {
        facts.endLinks(login, 'change')
        facts.mails.push(['emailChanging', login.email], ['change', email])
      },
    }
  })
}

const deleting = (stage: Stage): Maker =>
  sending(stage, ({ login }) => ({
    what: 'deletes the account',
    path: '/auth/account/delete',
    wanted: () => [200, 'Your account is deleted'],
    done: () => stage.facts.remove(login),
  }))

const changingFactor = (stage: Stage): Maker => {
  const { random, facts } = stage
  return sending(stage, ({ login }) => {
    const path = '/auth/account/second_factor'
    if (!login.factor) return undefined
    if (random.chance(0.4)) {
      const done = () => {
        login.factor = undefined
        login.version++
        facts.mails.push(['secondFactorOff', login.email])
      }
      return { what: 'turns the second factor off', path, fields: { act: 'off' }, wanted: () => [200, 'The second factor is off'], done }
    }
    const done = (_: Login, page: PageAnswer) => {
      if (login.factor) login.factor.recoveryCodes = recoveryCodesOn(page)
      facts.mails.push(['recoveryCodesMade', login.email])
    }
    return { what: 'makes new recovery codes', path, wanted: () => [200, 'Your recovery codes'], done }
  })
}

const recoveryCodesOn = ({ text }: PageAnswer) => [...text.matchAll(/<li><code>([^<]+)</g)].map(([, code]) => code!)

const turningOn = (stage: Stage): Maker => {
  const { random, facts, secrets, compare } = stage
  return () => {
    const session = random.of(facts.sessions.filter((each) => facts.isIn(each) && !each.login.factor))
    if (!session) return undefined
    const { browser, login } = session
    const isRight = random.chance(0.8)
    const run = async () => {
      const page = await browser.visit('/auth/account/second_factor')
      const shown = /<code class="secret">([^<]+)</.exec(page.text)?.[1] ?? ''
      const secret = fromBase32(shown)
      const lastStep = stepAt(facts.now())
      const code = isRight ? codeOf(secret, lastStep) : 'none'
      const answered = await browser.submit(page, { current_password: login.password, code })
      compare('the answer', said(answered, 'Your recovery codes', WRONG[1]), isRight ? [200, 'Your recovery codes'] : [422, WRONG[1]])
      if (!isRight) return
      login.factor = { secret, lastStep, recoveryCodes: recoveryCodesOn(answered) }
      for (const each of [shown, ...login.factor.recoveryCodes]) secrets.add(each)
      login.version++
      facts.mails.push(['secondFactorOn', login.email])
    }
    return { what: `${login.username} turns a second factor on with a ${isRight ? 'right' : 'wrong'} code`, run }
  }
}

const forgetting = (stage: Stage): Maker => {
  const { random, facts, compare } = stage
  return () => {
    const login = random.of(facts.logins)
    const name = random.of([login.email, login.username])
    const run = async () => {
      const browser = newBrowser(stage)
      const page = await browser.submit(await browser.visit('/auth/password/new'), { email: name })
      compare('the answer', said(page, 'If there is such an account'), [200, 'If there is such an account'])
      const owner = name === login.email ? facts.named(name) : login.isGone ? undefined : login
      if (owner) facts.mails.push(['reset', owner.email])
    }
    return { what: `a link is asked for ${name}, which sets a password`, run }
  }
}

/** What follows from a link that was good. */
const FOLLOWED = {
  confirmation: ({ login }: Link) => {
    login.isConfirmed = true
  },
  change: (link: Link, { facts }: Stage) => {
    const { login, email } = link
    facts.mails.push(['emailChanged', login.email])
    facts.changeEmail(login, email)
    link.isOver = true
  },
  reset: ({ login }: Link, { facts }: Stage, password: string) => facts.changePassword(login, password),
}

const DONE = { confirmation: 'Thank you.', change: 'Your address is changed', reset: 'Your password is changed' }

const wantedOf = (stage: Stage, link: Link): readonly [number, string] => {
  const isTaken = link.kind === 'change' && stage.facts.named(link.email) !== undefined
  return isTaken ? [409, 'This address is taken'] : [200, DONE[link.kind]]
}

/** Follows a mailed link, sometimes twice at once. One that confirms an address may be followed again. */
const following = (stage: Stage): Maker => {
  const { random, facts, compare } = stage
  return () => {
    const link = facts.links.length > 0 ? random.of(facts.links.slice(-6)) : undefined
    if (!link) return undefined
    const [isTwice, isGood] = [random.chance(0.3), facts.isGood(link)]
    const run = async () => {
      const browser = newBrowser(stage)
      const page = await browser.visit(link.path)
      compare(
        'the page of the link',
        said(page, 'This link no longer works'),
        isGood ? [200, undefined] : [404, 'This link no longer works'],
      )
      if (!isGood) return
      const passwords = Array.from({ length: isTwice ? 2 : 1 }, () => newPassword(stage))
      const pages = await Promise.all(passwords.map((password) => browser.submit(page, link.kind === 'reset' ? { password } : {})))
      const [wanted, bad] = [wantedOf(stage, link), [404, 'This link no longer works']]
      const isOnce = link.kind !== 'confirmation' && wanted[0] === 200
      const shown = pages.map((each) => said(each, wanted[1], 'This link no longer works'))
      compare('the answers', shown.toSorted(), pages.map((_, index) => (isOnce && index > 0 ? bad : [...wanted])).toSorted())
      const first = pages.findIndex(({ status }) => status === 200)
      if (first >= 0) FOLLOWED[link.kind](link, stage, passwords[first]!)
    }
    return {
      what: `${link.login.username} follows a ${isGood ? 'good' : 'bad'} link (${link.kind} of ${link.email}) ${isTwice ? 'twice at once' : ''}`,
      run,
    }
  }
}

export const changingCredentials = (stage: Stage): (readonly [weight: number, make: Maker])[] => [
  [2, changingPassword(stage)],
  [3, changingEmail(stage)],
  [1, deleting(stage)],
  [3, turningOn(stage)],
  [2, changingFactor(stage)],
  [3, forgetting(stage)],
  [6, following(stage)],
]
