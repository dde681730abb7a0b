import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { choice, optional, readEnvironment, text } from '@rookery/runtime'
import { freePorts } from '@rookery/test-stores'

const run = promisify(execFile)

const settings = {
  PATH: optional(text({ describe: 'Where programs are.' })),
  REQUIRE_SNAC: choice(['0', '1'], { describe: 'snac that cannot be had is a failure, not a skip.', default: '0' }),
}
const environment = readEnvironment(settings, process.env)

/** snac, an ActivityPub server written in C, as an independent implementation: Debian's package `snac2`. */
const SNAC = (environment.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'snac'))
  .find((path) => existsSync(path))
if (!SNAC && environment.REQUIRE_SNAC === '1') throw new Error('there is no snac (REQUIRE_SNAC is 1)')

export const hasSnac = SNAC !== undefined

/** The name of the tests that need snac; says so when they are skipped. */
export const snacTests = (what: string): string => (hasSnac ? what : `${what}: left out, there is no snac`)

// biome-ignore lint/suspicious/noExplicitAny: tests look at what another server stores
type Json = any

const jsonOf = (path: string): Json => JSON.parse(readFileSync(path, 'utf8'))

/** Maximum time until it answers, in milliseconds. */
const START = 20_000

/** Starts snac with one account, over http on localhost. */
export const startSnac = async (username: string) => {
  const parent = mkdtempSync(join(tmpdir(), 'rookery-snac-'))
  const folder = join(parent, 'data')
  const port = await freePorts(1)
  const host = `localhost:${port}`
  // It prompts for address, port, host, path and mail.
  const initialized = run(SNAC!, ['init', folder])
  initialized.child.stdin?.end(`127.0.0.1\n${port}\n${host}\n\n\n`)
  await initialized
  const file = join(folder, 'server.json')
  writeFileSync(file, JSON.stringify({ ...jsonOf(file), protocol: 'http', shared_inboxes: true }))
  const addUser = async (name: string) => /password is (\S+)/.exec((await run(SNAC!, ['adduser', folder, name])).stdout)?.[1] ?? ''
  const password = await addUser(username)
  const child = spawn(SNAC!, ['httpd', folder], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const origin = `http://${host}`

  const isUp = () =>
    fetch(`${origin}/${username}`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const end = Date.now() + START; !(await isUp()); await pause(50)) {
    if (child.exitCode !== null || Date.now() > end) throw new Error(`snac did not start: ${child.exitCode ?? 'it does not answer'}`)
  }

  const filesOf = (name: string): Json[] => {
    const path = join(folder, 'user', username, name)
    return existsSync(path)
      ? readdirSync(path)
          .filter((each) => each.endsWith('.json'))
          .map((each) => jsonOf(join(path, each)))
      : []
  }

  /** Submits a form of its pages. */
  const submit = async (path: string, form: Record<string, string>) => {
    const answer = await fetch(`${origin}/${username}/admin/${path}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ redir: 'x', ...form }).toString(),
      // It accepts only this exact media type for forms, without a charset.
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      },
    })
    if (answer.status >= 400) throw new Error(`snac answers ${answer.status} to ${path}`)
  }

  return {
    host,
    uri: `${origin}/${username}`,
    handle: `@${username}@${host}`,
    /** Runs a command for its account: follow, unfollow, note, boost … The commands call the other server. */
    does: (act: string, ...given: string[]) => run(SNAC!, [act, folder, username, ...given]),
    /** Adds an account, which acts by commands only. */
    async adds(name: string) {
      await addUser(name)
      const does = (act: string, ...given: string[]) => run(SNAC!, [act, folder, name, ...given])
      return { uri: `${origin}/${name}`, handle: `@${name}@${host}`, does }
    },
    /** Votes for an option of a poll. */
    votes: (question: string, irt: string, actor: string) => submit('vote', { question, irt, actor }),
    /** Presses a button below a post: Like, Unboost, Delete … */
    presses: (action: string, id: string, actor: string) => submit('action', { action, id, actor, hid: 'x' }),
    /** Submits the note form with some of its fields: in_reply_to, edit_id … */
    writes: (content: string, more: Record<string, string> = {}) => submit('note', { content, ...more }),
    /** The objects that its account has: its own, and those of accounts that it follows. */
    timeline: () => [...filesOf('private'), ...filesOf('public')],
    /** The follows of its account, with their answers. */
    following: () => filesOf('following'),
    followers: () => filesOf('followers'),
    /** The number of likes (`l`) or boosts (`a`) of an object. */
    count: (kind: 'l' | 'a', id: string): number => {
      const name = createHash('md5').update(id).digest('hex')
      const path = join(folder, 'object', name.slice(0, 2), `${name}_${kind}.idx`)
      return existsSync(path)
        ? readFileSync(path, 'utf8')
            .split('\n')
            .filter((line) => /^[0-9a-f]/.test(line)).length
        : 0
    },
    async close() {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(late)
      rmSync(parent, { recursive: true, force: true })
    },
  }
}
