import type { Browser, PageAnswer } from '@rookery/test-world'
import { isActive, type Login, stateOf } from './facts.ts'
import { type Act, DAY, type Maker, MINUTE, newBrowser, type Stage, said, takeCode, typedCode } from './stage.ts'

// Signing in and out, with a second step where there is a second factor.

const SIGNED_IN = 'Signed in as'
const WRONG = 'do not belong together'
const STEP = 'Second step'
const SIGN_IN = 'name="password"'
/** How long a sign-in lasts without being used for an app. */
export const SESSION_LIVES = 30 * DAY
const STEP_LIVES = 10 * MINUTE

const ANSWERS = {
  gone: [401, WRONG],
  unconfirmed: [200, 'Look into your mail'],
  disabled: [403, 'The people who run this server'],
  active: [200, SIGNED_IN],
} as const

const signingIn = (stage: Stage): Maker => {
  const { random, facts, compare } = stage
  const expected = (login: Login, isRight: boolean) => {
    if (!isRight) return ANSWERS.gone
    return isActive(login) && login.factor ? [200, STEP] : ANSWERS[stateOf(login)]
  }
  return () => {
    const login = random.of(facts.logins)
    const [name, isRight] = [random.of([login.email, login.username, login.email.toUpperCase()]), random.chance(0.9)]
    // The address of a login that is gone may be another's.
    if (login.isGone && facts.named(login.email)) return undefined
    const used = random.chance(0.2) ? random.of(facts.sessions) : undefined
    const browser = used?.browser ?? newBrowser(stage)
    const run = async () => {
      const password = isRight ? login.password : 'not the password'
      const page = await browser.submit(await browser.visit('/auth/sign_in'), { email: name, password })
      const answers = Object.values(ANSWERS).map(([, text]) => text)
      compare('the answer', said(page, STEP, ...answers), expected(login, isRight))
      if (!isRight || !isActive(login)) return
      const now = facts.now()
      if (login.factor) facts.steps.push({ page, browser, login, version: login.version, until: now + STEP_LIVES })
      else facts.signIn(login, browser, now + SESSION_LIVES)
    }
    return {
      what: `${login.username} signs in as ${name} ${isRight ? '' : 'with a wrong password'}${used ? ' where someone was' : ''}`,
      run,
    }
  }
}

/** The second step, sometimes with the same code twice at once. */
const secondStep = (stage: Stage): Maker => {
  const { random, facts, compare } = stage
  const send = (browser: Browser, page: PageAnswer, code: string) => browser.submit(page, { code })
  const saidBy = (page: PageAnswer) => said(page, SIGNED_IN, 'This code is wrong', SIGN_IN)
  return () => {
    const step = facts.steps.length > 0 ? random.of(facts.steps.slice(-3)) : undefined
    if (!step) return undefined
    const { page, browser, login } = step
    const [code, isTwice] = [typedCode(stage, login), random.chance(0.2)]
    const isGood = () => step.until > facts.now() && step.version === login.version && isActive(login)
    const run = async () => {
      const answers = await Promise.all(Array.from({ length: isTwice ? 2 : 1 }, () => send(browser, page, code)))
      const wanted = answers.map(() => {
        if (!isGood()) return [200, SIGN_IN]
        const isRight = takeCode(stage, login, code)
        if (isRight) facts.signIn(login, browser, facts.now() + SESSION_LIVES)
        return isRight ? [200, SIGNED_IN] : [401, 'This code is wrong']
      })
      compare('the answers', answers.map(saidBy).toSorted(), wanted.toSorted())
    }
    return { what: `${login.username} types ${code} ${isTwice ? 'twice at once' : ''}`, run }
  }
}

const signingOut = ({ random, facts, compare }: Stage): Maker => {
  return () => {
    if (facts.sessions.length === 0) return undefined
    const { browser, login } = random.of(facts.sessions)
    const run = async () => {
      const page = await browser.submit(await browser.visit('/auth/sign_out'), {})
      compare('the answer', said(page, 'Signed out'), [200, 'Signed out'])
      facts.signOut(browser)
    }
    return { what: `${login.username} signs a browser out`, run }
  }
}

/** Forms of the overview: they sign out another browser, an app, or everything. */
const signingOutFromAfar = ({ random, facts, compare }: Stage): Maker => {
  return (): Act | undefined => {
    const session = facts.session(random)
    if (!session || !facts.isIn(session)) return undefined
    const { browser, login } = session
    const overview = () => browser.visit('/auth/account')
    const others = () => facts.sessionsOf(login).filter((each) => each !== session)
    const waiting = facts.codes.filter((code) => code.login === login && facts.isUnused(code)).map((code) => code.app)
    const app = random.of(waiting.length > 0 ? waiting : facts.apps)
    const isLeft = async (each: { browser: Browser }) => (await each.browser.visit('/auth/account')).text.includes(SIGNED_IN)
    const ends = {
      everywhere: async () => {
        await browser.submit(await overview(), {}, '/auth/account/everywhere')
        facts.endAll(login)
      },
      app: async () => {
        const page = await overview()
        if (page.text.includes(`value="${app.id}"`)) await browser.submit(page, {}, `value="${app.id}"`)
        else return
        facts.endApps(login, app)
      },
      browser: async () => {
        const page = await overview()
        if (others().length === 0) return
        await browser.submit(page, {}, '/auth/account/browsers')
        const left = await Promise.all(others().map(isLeft))
        compare('browsers that are signed out', left.filter((each) => !each).length, 1)
        for (const [index, each] of others().entries()) if (!left[index]) each.isOver = true
      },
    }
    const end = random.of(['everywhere', 'app', 'app', 'browser', 'browser'] as const)
    return { what: `${login.username} signs out: ${end} ${end === 'app' ? app.name : ''}`, run: ends[end] }
  }
}

export const signing = (stage: Stage): (readonly [weight: number, make: Maker])[] => [
  [6, signingIn(stage)],
  [5, secondStep(stage)],
  [1, signingOut(stage)],
  [2, signingOutFromAfar(stage)],
]
