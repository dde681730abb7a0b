import { Browser, type PageAnswer, type Person, type startMailServer, type World } from '@rookery/test-world'
import type { Random } from '@rookery/test-world/random'
import { codeOf, stepAt } from '../../src/credentials/second-factors/totp.rules.ts'
import type { Facts, Login } from './facts.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Something that is done, and what the log of the walk says about it. `by` is the login whose form is sent. */
export type Act = {
  what: string
  by?: Login
  run: () => Promise<void>
}
/** Draws an act; undefined if there is nothing that it could be about. */
export type Maker = () => Act | undefined

/** The server, what is known of it, and how differences are noted. */
export type Stage = {
  world: World
  mail: Pick<Awaited<ReturnType<typeof startMailServer>>, 'letters'>
  random: Random
  facts: Facts
  owner: Person
  /** Compares an answer with what it should be. */
  compare: (what: string, is: unknown, wanted: unknown) => void
  /** Text that must be in no log. */
  secrets: Set<string>
}

let count = 0
/** A word that was not used yet. */
export const newWord = (beginning: string): string => `${beginning}${++count}`

export const newBrowser = ({ world }: Stage): Browser => new Browser({ base: world.origin, server: world.origin })

export const newPassword = ({ secrets }: Stage): string => {
  const password = newWord('a secret of ')
  secrets.add(password)
  return password
}

/** The status of a page and which of some texts it has. */
export const said = ({ status, text }: PageAnswer, ...texts: string[]) => [status, texts.find((each) => text.includes(each))]

const TOLERATED = [-1, 0, 1]

/** The time step of a code that a factor takes now; undefined if it takes none. */
export const stepOf = ({ secret, lastStep }: { secret: Buffer; lastStep: number }, code: string, now: number): number | undefined =>
  TOLERATED.map((offset) => stepAt(now) + offset).find((step) => step > lastStep && codeOf(secret, step) === code)

/** What a person types as a code: that of now, one that was used, a recovery code, or something else. */
export const typedCode = ({ random, facts }: Stage, { factor }: Login): string => {
  if (!factor) return ''
  const kind = random.of(['now', 'now', 'now', 'used', 'recovery', 'wrong'])
  if (kind === 'recovery') return random.of(factor.recoveryCodes) ?? 'none-left'
  return kind === 'wrong' ? 'abcd-efgh' : codeOf(factor.secret, kind === 'used' ? factor.lastStep : stepAt(facts.now()))
}

/** Uses up a code as the server does; returns whether it is right. Mails say that a recovery code was used, or that a code was wrong. */
export const takeCode = ({ facts }: Stage, login: Login, code: string): boolean => {
  const { factor } = login
  if (!factor) return true
  const step = stepOf(factor, code, facts.now())
  const isRecovery = factor.recoveryCodes.includes(code)
  if (step !== undefined) factor.lastStep = step
  if (isRecovery) factor.recoveryCodes = factor.recoveryCodes.filter((each) => each !== code)
  if (isRecovery) facts.mails.push(['recoveryCodeUsed', login.email])
  else if (step === undefined) facts.mails.push(['wrongCode', login.email])
  return step !== undefined || isRecovery
}

/** The fields by which a signed-in person proves again to be that person, mostly rightly; `take` says what comes of sending them. */
export const proof = (stage: Stage, login: Login) => {
  const isPassword = stage.random.chance(0.9)
  const code = typedCode(stage, login)
  return {
    fields: { current_password: isPassword ? login.password : 'not the password', ...(login.factor && { code }) },
    /** Whether it is right. A wrong password uses no code up. */
    take: () => isPassword && takeCode(stage, login, code),
  }
}
