import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePorts, PROGRAM_ENVIRONMENT } from '@rookery/test-stores'
import { Browser, type Person, startMailServer } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '../packages/database/src/index.ts'
import { personOf } from './local-people.ts'
import { openReachablePush } from './push/reachable.ts'

// Real processes start here, and start again.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } })

const MAIN = resolve(import.meta.dirname, '../services/all-in-one/src/main.ts')
/** What a killed process had begun is taken over some seconds after the next one has started. */
const SLOW = { timeout: 60_000 }

describe('what people get outside of the app when the process is killed', () => {
  let folder: string
  let server: { origin: string; dataDir: string }
  let push: Awaited<ReturnType<typeof openReachablePush>>
  let mail: Awaited<ReturnType<typeof startMailServer>>
  let child: ChildProcess
  let author: Person
  let number = 0

  const start = async () => {
    const { port: PORT } = new URL(server.origin)
    const own = { SMTP_URL: mail.url.reveal(), ...push.environment }
    const env = { ...PROGRAM_ENVIRONMENT, DATA_DIR: folder, PORT, RATE_LIMITS: 'off', ...own }
    child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [greeting] = await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')])
    expect(String(greeting)).toContain('Rookery listens on')
  }
  const end = async (signal: NodeJS.Signals) => {
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rookery-push-'))
    push = await openReachablePush()
    mail = await startMailServer()
    server = { origin: `http://127.0.0.1:${await freePorts(1)}`, dataDir: folder }
    await start()
    author = await personOf(server, 'author')
  }, 120_000)
  afterAll(async () => {
    await end('SIGTERM')
    await push.close()
    await mail.close()
    rmSync(folder, { recursive: true, force: true })
  }, 120_000)

  const withDatabase = async <Result>(
    act: (query: (text: string, values?: unknown[]) => Promise<{ rows: { count: number }[] }>) => Promise<Result>,
  ) => {
    const socket = encodeURIComponent(join(folder, 'postgres', 'socket'))
    const database = openDatabase({ url: `postgres://postgres@localhost:5432/rookery?host=${socket}`, connections: 1 })
    try {
      return await act((text, values) => database.pool.query(text, values))
    } finally {
      await database.close()
    }
  }

  const WAITING = `from pg_stat_activity where wait_event_type = 'Lock' and query ~* $1`

  /**
   * Kills the process once a statement of it waits for a table that is locked before the act, and starts it again. The statement ends with it,
   * as if it had not been sent.
   */
  const killWhileItWaits = async ({ lock, statement, act }: { lock: string; statement: string; act: () => Promise<unknown> }) => {
    await withDatabase(async (hold) => {
      await hold('begin')
      await hold(`lock table ${lock} mode`)
      await act()
      // In a transaction the view would not change.
      await withDatabase(async (query) => {
        const waiting = async () => (await query(`select count(*)::int ${WAITING}`, [statement])).rows[0]!.count
        await expect.poll(waiting, SLOW).toBeGreaterThan(0)
        child.kill('SIGSTOP')
        await query(`select pg_terminate_backend(pid, 5000) ${WAITING}`, [statement])
      })
      await end('SIGKILL')
      // Postgres ends with its process, and the lock with it.
      await hold('rollback').catch(() => {})
    })
    await start()
  }

  const scene = async () => {
    const name = `reader${++number}`
    const reader = await personOf(server, name)
    const path = `/device/${name}`
    const browser = await push.subscribe(reader, path)
    return { reader, path, browser, mention: () => author.says(`@${name} tea?`) }
  }
  type Scene = Awaited<ReturnType<typeof scene>>

  const ALERT_JOBS = `notifications_jobs._private_jobs where key like 'alert/%'`
  /** Fails with what is known of the jobs that send: whether one was made, is at work, or failed and why. */
  const isSent = async ({ path }: Scene, count: number) => {
    try {
      await expect.poll(() => push.to(path).length, SLOW).toBe(count)
    } catch (error) {
      const { rows: jobs } = await withDatabase((query) => query(`select *, now() as asked_at from ${ALERT_JOBS}`))
      throw new Error(`${push.to(path).length} sent, not ${count}; jobs: ${JSON.stringify(jobs)}`, { cause: error })
    }
  }
  const jobsLeft = (condition = '') =>
    withDatabase(async (query) => {
      const { rows } = await query(`select count(*)::int from ${ALERT_JOBS} ${condition}`)
      return rows[0]!.count
    })

  /** One row in the inbox, and however often it was sent, one alert that a device shows: those of one topic replace each other. */
  const isSeenOnce = async ({ reader, path, browser }: Scene) => {
    await expect.poll(() => jobsLeft(), SLOW).toBe(0)
    const notifications = await reader.notifications()
    expect(notifications).toHaveLength(1)
    const alerts = push.to(path).map((pushed) => ({ topic: pushed.headers['topic'], id: browser.reads(pushed)['notification_id'] }))
    const [alert] = alerts
    expect(alert).toEqual({ topic: `notification-${notifications[0].id}`, id: Number(notifications[0].id) })
    expect(new Set(alerts.map(({ topic }) => topic)).size).toBe(1)
    return alerts.length
  }

  test('an alert is sent once that is killed before its notification is stored', async () => {
    const given = await scene()
    await killWhileItWaits({ lock: 'notifications.notification in share', statement: 'insert into notification ', act: given.mention })
    await isSent(given, 1)
    expect(await isSeenOnce(given)).toBe(1)
  }, 120_000)

  test('an alert is sent once that is killed after its job has begun', async () => {
    const given = await scene()
    // A job of its own, so that it can be held up after the notification is stored.
    push.answers.set(given.path, { status: 503, headers: { 'retry-after': '600' } })
    await given.mention()
    await isSent(given, 1)
    await expect.poll(() => jobsLeft('and run_at > now() and locked_at is null'), SLOW).toBe(1)
    push.answers.delete(given.path)
    const makeDue = () =>
      withDatabase((query) => query(`update notifications_jobs._private_jobs set run_at = now() where key like 'alert/%'`))
    await killWhileItWaits({ lock: 'notifications.push_subscription in access exclusive', statement: 'push_subscription', act: makeDue })
    await isSent(given, 2)
    expect(await isSeenOnce(given)).toBe(2)
  }, 120_000)

  test('an alert is seen once that is killed while the push service has not answered', async () => {
    const given = await scene()
    push.answers.set(given.path, { status: 201, until: new Promise(() => {}) })
    await given.mention()
    await isSent(given, 1)
    await end('SIGKILL')
    push.answers.delete(given.path)
    await start()
    await isSent(given, 2)
    expect(await isSeenOnce(given)).toBe(2)
  }, 120_000)

  test('an alert is seen once that is killed after the push service answered and before its job is gone', async () => {
    const given = await scene()
    const { promise: answer, resolve: letAnswer } = Promise.withResolvers<void>()
    push.answers.set(given.path, { status: 201, until: answer })
    await given.mention()
    await isSent(given, 1)
    push.answers.delete(given.path)
    await killWhileItWaits({ lock: 'notifications_jobs._private_jobs in share', statement: 'delete from', act: async () => letAnswer() })
    await isSent(given, 2)
    expect(await isSeenOnce(given)).toBe(2)
  }, 120_000)

  /** Someone who wants mail of mentions. */
  const mailScene = async () => {
    const name = `mailed${++number}`
    await personOf(server, name, ['--password', 'known to the test'])
    const browser = new Browser({ base: server.origin, server: server.origin })
    await browser.submit(await browser.visit('/auth/sign_in'), { email: name, password: 'known to the test' })
    await browser.submit(await browser.visit('/auth/account/mail'), { mention: 'true' })
    const letters = () => mail.letters.filter(({ to, text }) => to.includes(`${name}@example.org`) && text.includes(`@${name}`))
    return { letters, mention: () => author.says(`@${name} tea?`) }
  }
  const isMailed = ({ letters }: Awaited<ReturnType<typeof mailScene>>, count: number) =>
    expect.poll(() => letters().length, SLOW).toBe(count)

  const MAIL_JOBS = `auth_jobs._private_jobs where task_id = (select id from auth_jobs._private_tasks where identifier = 'send-notification-mail')`
  const mailJobs = (condition = '') =>
    withDatabase(async (query) => (await query(`select count(*)::int from ${MAIL_JOBS} ${condition}`)).rows[0]!.count)

  /** No job is left, and all its letters are one by their id. */
  const isOneMail = async ({ letters }: Awaited<ReturnType<typeof mailScene>>) => {
    await expect.poll(() => mailJobs(), SLOW).toBe(0)
    const ids = letters().map(({ text }) => /^Message-ID: (<[^>]+>)/im.exec(text)?.[1])
    expect([...new Set(ids)]).toEqual([expect.stringMatching(/^<.+@.+>$/)])
    return ids.length
  }

  test('a mail is sent once that is killed before its job is stored', async () => {
    const given = await mailScene()
    await killWhileItWaits({ lock: 'auth.mail_preference in exclusive', statement: 'mail_preference', act: given.mention })
    await isMailed(given, 1)
    expect(await isOneMail(given)).toBe(1)
  }, 120_000)

  test('a mail is sent once that is killed after its job has begun', async () => {
    const given = await mailScene()
    // A job of its own, so that it can be held up after it was made.
    mail.state.isRefusing = true
    await given.mention()
    await expect.poll(() => mailJobs('and attempts > 0 and locked_at is null'), SLOW).toBe(1)
    mail.state.isRefusing = false
    const makeDue = () => withDatabase((query) => query(`update ${MAIL_JOBS.replace(' where', ' set run_at = now() where')}`))
    await killWhileItWaits({ lock: 'auth.mail_preference in access exclusive', statement: 'mail_preference', act: makeDue })
    await isMailed(given, 1)
    expect(await isOneMail(given)).toBe(1)
  }, 120_000)

  test('a mail has one id, however often it is sent, that is killed while the mail server has not answered', async () => {
    const given = await mailScene()
    mail.state.until = new Promise(() => {})
    await given.mention()
    await isMailed(given, 1)
    await end('SIGKILL')
    mail.state.until = undefined
    await start()
    await isMailed(given, 2)
    expect(await isOneMail(given)).toBe(2)
  }, 120_000)

  test('a mail has one id, however often it is sent, that is killed after the mail server answered and before its job is gone', async () => {
    const given = await mailScene()
    const { promise: answer, resolve: letAnswer } = Promise.withResolvers<void>()
    mail.state.until = answer
    await given.mention()
    await isMailed(given, 1)
    mail.state.until = undefined
    await killWhileItWaits({ lock: 'auth_jobs._private_jobs in share', statement: 'delete from', act: async () => letAnswer() })
    await isMailed(given, 2)
    expect(await isOneMail(given)).toBe(2)
  }, 120_000)
})
