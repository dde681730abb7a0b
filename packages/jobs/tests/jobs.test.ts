import { type Database, openDatabase, prepareDatabase, transact } from '@rookery/database'
import { unavailable } from '@rookery/failures'
import { startPostgresProxy, startTestPostgres, type TestDatabase } from '@rookery/test-stores'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  addJob,
  addJobs,
  countJobs,
  type JobObserver,
  job,
  migrateJobs,
  removeJob,
  runSoon,
  startWorker,
  type Worker,
  type WorkerOptions,
} from '../src/index.ts'

const SERVICE = 'jobs_test'

describe('jobs', () => {
  let own: TestDatabase
  let database: Database<object>
  let ran: string[]
  const workers: Worker[] = []

  beforeEach(async () => {
    const postgres = startTestPostgres()
    const template = await postgres.templateDatabase('jobs', async (fresh) => {
      await prepareDatabase(fresh.url('postgres'), [{ name: SERVICE }])
      // Several replicas may start at once.
      await Promise.all([1, 2].map(() => migrateJobs(fresh.url(SERVICE), SERVICE)))
    })
    own = await postgres.createDatabase(template)
    database = openDatabase({ url: own.url(SERVICE) })
    ran = []
  })
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()))
    await database.close()
    await own.drop()
  })

  const write = job<{ text: string }>({ name: 'write', run: async ({ text }) => void ran.push(text) })
  const start = async (options: Partial<WorkerOptions> = {}) => {
    const worker = await startWorker({ url: own.url(SERVICE), service: SERVICE, jobs: [write], isRunning: false, ...options })
    workers.push(worker)
    return worker
  }
  const add = (text: string, options?: Parameters<typeof addJob>[4]) =>
    transact(database.db, (tx) => addJob(tx, SERVICE, 'write', { text }, options))

  test('a job runs once its transaction is kept, and never when it is not', async () => {
    const worker = await start()
    await add('kept')
    const undone = transact(database.db, async (tx) => {
      await addJob(tx, SERVICE, 'write', { text: 'undone' })
      throw new Error('after all not')
    })
    await expect(undone).rejects.toThrow('after all not')
    await worker.runDue()
    await worker.runDue()
    expect(ran).toEqual(['kept'])
  })

  test('a job runs by itself, soon after the commit', async () => {
    await start({ isRunning: true })
    await add('soon')
    await expect.poll(() => ran).toEqual(['soon'])
  })

  test('a worker writes nothing to the console of the operator', async () => {
    const warn = vi.spyOn(console, 'warn')
    await start()
    await start({ isRunning: true })
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })

  test('a job waits for its time', async () => {
    const worker = await start()
    await add('later', { runAt: new Date(Date.now() + 60_000) })
    await worker.runDue()
    expect(ran).toEqual([])
  })

  test('of jobs with one key the last one runs, unless it is taken back', async () => {
    const worker = await start()
    await add('first', { key: 'a' })
    await add('second', { key: 'a' })
    await add('taken back', { key: 'b' })
    await transact(database.db, (tx) => removeJob(tx, SERVICE, 'b'))
    await worker.runDue()
    expect(ran).toEqual(['second'])
  })

  test('a job that fails is reported, tried again later, and stays when it was tried too often', async () => {
    const faults: string[] = []
    const failing = job({
      name: 'write',
      run: async () => {
        throw new Error('no paper')
      },
    })
    const worker = await start({ jobs: [failing], onError: (error, name) => faults.push(`${name}: ${(error as Error).message}`) })
    await add('a', { attempts: 2 })
    await worker.runDue()
    await worker.runDue()
    expect(faults).toEqual(['write: no paper'])
    const jobs = sql.table(`${SERVICE}_jobs._private_jobs`)
    await sql`update ${jobs} set run_at = now()`.execute(database.db)
    await worker.runDue()
    const { rows } = await sql<{ attempts: number; lastError: string }>`select attempts, last_error from ${jobs}`.execute(database.db)
    expect(rows).toEqual([{ attempts: 2, lastError: expect.stringContaining('no paper') }])
  })

  test('what waits is counted by kind and state, and runs are reported', async () => {
    const runs: string[] = []
    const failing = job({
      name: 'write',
      run: async () => {
        throw new Error('no paper')
      },
    })
    const observe: JobObserver = (run) => runs.push(`${run.service} ${run.job} ${run.hasFailed} ${run.seconds >= 0}`)
    const worker = await start({ jobs: [failing], observe })
    await add('twice', { attempts: 2 })
    await add('once', { attempts: 1 })
    await add('later', { runAt: new Date(Date.now() + 60_000) })
    expect(await countJobs(database.pool, SERVICE)).toEqual([{ job: 'write', due: 2, retrying: 0, exhausted: 0 }])
    await worker.runDue()
    expect(await countJobs(database.pool, SERVICE)).toEqual([{ job: 'write', due: 0, retrying: 1, exhausted: 1 }])
    expect(runs).toEqual([`${SERVICE} write true true`, `${SERVICE} write true true`])
  })

  test('a worker gives signs of looking for jobs, whether there are any or not', async () => {
    const worker = await start({ isRunning: true, pollMilliseconds: 20 })
    const before = performance.now()
    await expect.poll(() => worker.lastSign(), { interval: 20 }).toBeGreaterThan(before)
    await worker.close()
    const last = worker.lastSign()
    expect(worker.lastSign()).toBe(last)
  })

  test('two workers share the jobs and none runs twice', async () => {
    await Promise.all([start({ isRunning: true }), start({ isRunning: true })])
    const texts = Array.from({ length: 30 }, (_, index) => `job ${index}`)
    await transact(database.db, async (tx) => {
      for (const text of texts) await addJob(tx, SERVICE, 'write', { text })
    })
    await expect.poll(() => ran.length).toBe(30)
    expect([...ran].sort()).toEqual([...texts].sort())
  })

  // So that only notifications start jobs.
  const NEVER_POLLS = { isRunning: true, pollMilliseconds: 600_000 }

  test('a job that is added before the worker listens runs once it does', async () => {
    const { promise: mayListen, resolve: listen } = Promise.withResolvers<void>()
    const proxy = await startPostgresProxy(own.url, { hold: (bytes) => (bytes.includes('LISTEN') ? mayListen : undefined) })
    const worker = await start({ ...NEVER_POLLS, url: proxy.url(SERVICE) })
    const begun = performance.now()
    await expect.poll(() => worker.lastSign()).toBeGreaterThan(begun)
    const busy = sql`select 1 from pg_stat_activity where usename = ${SERVICE} and datname = current_database() and state = 'active'
      and pid <> pg_backend_pid()`
    await expect.poll(async () => (await busy.execute(database.db)).rows).toEqual([])
    await add('unheard')
    listen()
    await expect.poll(() => ran).toEqual(['unheard'])
    await worker.close()
    await proxy.close()
  })

  test('a worker looks for its own jobs, and not whenever another lane or service has some', async () => {
    const idle = await start({ ...NEVER_POLLS, jobs: [job({ name: 'rest', run: async () => {} })] })
    await start(NEVER_POLLS)
    await prepareDatabase(own.url('postgres'), [{ name: SERVICE }, { name: 'jobs_other' }])
    await migrateJobs(own.url('jobs_other'), 'jobs_other')
    const other = openDatabase({ url: own.url('jobs_other') })
    const looksMeanwhile = async () => {
      const last = idle.lastSign()
      for (let count = 0; count < 5; count++) await transact(other.db, (tx) => addJob(tx, 'jobs_other', 'rest', {}))
      const texts = [`one ${last}`, `other ${last}`]
      const added = texts.map((text) => ({ payload: { text }, key: text }))
      await transact(database.db, (tx) => addJobs(tx, SERVICE, 'write', added))
      await expect.poll(() => ran).toEqual(expect.arrayContaining(texts))
      return idle.lastSign() - last
    }
    // At first it may still look because it has just started.
    await expect.poll(looksMeanwhile).toBe(0)
    await other.close()
    const last = idle.lastSign()
    await transact(database.db, (tx) => addJob(tx, SERVICE, 'rest', {}))
    await expect.poll(() => idle.lastSign()).toBeGreaterThan(last)
  })

  describe('beside other lanes', () => {
    const lanes = ['a', 'b', 'c'].flatMap((lane) =>
      ['one', 'two', 'three'].map((name) => job({ name: `${lane}-${name}`, lane, run: async () => {} })),
    )
    const texts = Array.from({ length: 20 }, (_, index) => `${index}`)

    test('jobs of a queue follow each other at once', async () => {
      await start({ ...NEVER_POLLS, jobs: [...lanes, write] })
      for (const text of texts) await add(text, { key: text, queue: 'one' })
      await expect.poll(() => ran).toEqual(texts)
    })

    test('jobs of several queues follow each other at once while those lanes have jobs of their own', async () => {
      let running = 0
      let mostOfOneQueue = 0
      const alone = job<{ text: string }>({
        name: 'write',
        run: async ({ text }) => {
          mostOfOneQueue = Math.max(mostOfOneQueue, ++running)
          await write.run({ text })
          running--
        },
      })
      await start({ ...NEVER_POLLS, jobs: [...lanes, alone], atOnce: 4 })
      await transact(database.db, async (tx) => {
        for (const text of texts) {
          await addJob(tx, SERVICE, 'write', { text }, { key: text, queue: 'one' })
          for (const { name } of lanes) await addJob(tx, SERVICE, name, {}, { queue: name, key: `${name} ${text}` })
        }
      })
      await expect.poll(() => ran).toEqual(texts)
      const jobs = sql.table(`${SERVICE}_jobs._private_jobs`)
      await expect.poll(async () => (await sql`select 1 from ${jobs}`.execute(database.db)).rows).toEqual([])
      expect(mostOfOneQueue).toBe(1)
    })

    test('a lane does not look when a job of a queue ends in another', async () => {
      const worker = await start({ ...NEVER_POLLS, jobs: [job({ name: 'rest', lane: 'idle', run: async () => {} }), write] })
      // The oldest sign is that of the idle lane.
      const looksMeanwhile = async () => {
        const last = worker.lastSign()
        const again = `again ${last}`
        await add(again, { key: again, queue: 'one' })
        await expect.poll(() => ran).toContain(again)
        return worker.lastSign() - last
      }
      // At first it may still look because it has just started.
      await expect.poll(looksMeanwhile).toBe(0)
    })

    test('jobs of two queues that are added at once run beside each other', async () => {
      const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
      const waits = job<{ text: string }>({
        name: 'write',
        run: async ({ text }) => {
          ran.push(text)
          await mayEnd
        },
      })
      await start({ ...NEVER_POLLS, jobs: [...lanes, waits], atOnce: 4 })
      await transact(database.db, async (tx) => {
        for (const text of texts.slice(0, 4)) await addJob(tx, SERVICE, 'write', { text }, { key: text, queue: text })
      })
      try {
        await expect.poll(() => ran.toSorted()).toEqual(texts.slice(0, 4))
      } finally {
        end()
      }
    })
  })

  test('a worker whose first look for jobs failed looks again soon', async () => {
    const administrator = openDatabase({ url: own.url('postgres') })
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.table(`${SERVICE}_jobs.${from}`)} rename to ${sql.id(to)}`.execute(administrator.db)
    await rename('_private_tasks', 'away')
    const worker = await start(NEVER_POLLS)
    const begun = performance.now()
    await expect.poll(() => worker.lastSign()).toBeGreaterThan(begun)
    await rename('away', '_private_tasks')
    await administrator.close()
    await add('after')
    await expect.poll(() => ran).toEqual(['after'])
  })

  test('a worker goes on when another service’s tables are made in the same database', async () => {
    await start(NEVER_POLLS)
    await prepareDatabase(own.url('postgres'), [{ name: SERVICE }, { name: 'jobs_other' }])
    await migrateJobs(own.url('jobs_other'), 'jobs_other')
    await add('after')
    await expect.poll(() => ran).toEqual(['after'])
    await add('later')
    await expect.poll(() => ran).toEqual(['after', 'later'])
    expect(process.exitCode).toBeUndefined()
  })

  test('a worker goes on after its connections were cut', async () => {
    await start({ isRunning: true, pollMilliseconds: 100 })
    const administrator = openDatabase({ url: own.url('postgres') })
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${SERVICE} and datname = current_database()`.execute(
      administrator.db,
    )
    await administrator.close()
    await expect
      .poll(() =>
        add('after').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await expect.poll(() => ran).toEqual(['after'])
  })

  test('a worker goes on after its connections died without a word, and is still known to live', async () => {
    const proxy = await startPostgresProxy(own.url)
    const limits = { connect: 300, silence: 100, statement: 1000 }
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const slow = job({
      name: 'slow',
      run: async () => {
        ran.push('slow')
        await mayEnd
      },
    })
    const quick = { jobs: [write, slow], isRunning: true, pollMilliseconds: 100, sweepMilliseconds: 100 }
    const worker = await start({ url: proxy.url(SERVICE), limits, ...quick })
    await transact(database.db, (tx) => addJob(tx, SERVICE, 'slow', {}))
    await expect.poll(() => ran).toEqual(['slow'])
    proxy.dropOpenFlows()
    await add('after')
    await expect.poll(() => ran).toEqual(['slow', 'after'])
    // Started a while ago: a worker that does not see its owner alive would start it again.
    const jobs = sql.table(`${SERVICE}_jobs._private_jobs`)
    await sql`update ${jobs} set locked_at = now() - interval '1 minute' where locked_by is not null`.execute(database.db)
    const other = await start({ ...quick })
    const begun = performance.now()
    await expect.poll(() => other.lastSign()).toBeGreaterThan(begun + 300)
    end()
    await expect.poll(async () => (await sql`select 1 from ${jobs}`.execute(database.db)).rows).toEqual([])
    expect(ran).toEqual(['slow', 'after'])
    await worker.close()
    await proxy.close()
  })

  test('workers that cannot note the ends of several jobs begin again, and lose none', async () => {
    const gates = new Map(['a', 'b', 'c', 'd'].map((name) => [name, Promise.withResolvers<void>()]))
    const waits = job<{ text: string }>({
      name: 'write',
      run: async ({ text }) => {
        ran.push(text)
        await gates.get(text)?.promise
      },
    })
    await start({ jobs: [waits], isRunning: true, atOnce: 4, pollMilliseconds: 100, sweepMilliseconds: 100 })
    for (const name of gates.keys()) await add(name)
    await expect.poll(() => [...ran].sort()).toEqual([...gates.keys()])
    const jobs = sql.table(`${SERVICE}_jobs._private_jobs`)
    const left = async () => (await sql`select 1 from ${jobs}`.execute(database.db)).rows.length
    // For a while no end of a job can be recorded, as when Postgres goes away; one job is still running then.
    const administrator = openDatabase({ url: own.url('postgres') })
    await sql`create function jobs_test_jobs.refuse() returns trigger language plpgsql as $$ begin
      perform nextval('jobs_test_jobs.refused'); raise exception 'away'; end $$`.execute(administrator.db)
    await sql`create sequence jobs_test_jobs.refused`.execute(administrator.db)
    await sql`grant usage on sequence jobs_test_jobs.refused to public`.execute(administrator.db)
    await sql`create trigger away before delete on ${jobs} for each row execute function jobs_test_jobs.refuse()`.execute(administrator.db)
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      gates.get(name)?.resolve()
      const refused = sql<{ times: string }>`select last_value as times from jobs_test_jobs.refused where is_called`
      await expect.poll(async () => Number((await refused.execute(administrator.db)).rows[0]?.times ?? 0)).toBe(index + 1)
    }
    await sql`drop trigger away on ${jobs}`.execute(administrator.db)
    await administrator.close()
    gates.get('d')?.resolve()
    await add('after')
    await expect.poll(() => ran).toContain('after')
    // Jobs whose end could not be recorded run again once their pool is known to be dead.
    await sql`update ${jobs} set locked_at = now() - interval '1 minute' where locked_by is not null`.execute(database.db)
    await expect.poll(left).toBe(0)
    expect(ran.filter((text) => text === 'd' || text === 'after').sort()).toEqual(['after', 'd'])
  })

  describe('a job that is due by itself', () => {
    const anHourAgo = new Date(Date.now() - 3_600_000)
    const daily = { name: 'daily', cron: `${anHourAgo.getUTCMinutes()} ${anHourAgo.getUTCHours()} * * *` }
    const lastRunDaysAgo = (days: number) =>
      sql`insert into ${sql.table(`${SERVICE}_jobs._private_known_crontabs`)} (identifier, known_since, last_execution)
        values ('daily', now() - interval '9 days', now() - ${days}::int * interval '1 day')
        on conflict (identifier) do update set last_execution = excluded.last_execution`.execute(database.db)

    test('runs once when a process is there again after its hour, however often it was missed', async () => {
      await lastRunDaysAgo(3)
      await start({ jobs: [write, job({ ...daily, run: async () => void ran.push('daily') })], isRunning: true })
      await expect.poll(() => ran).toEqual(['daily'])
      await start({ jobs: [write, job({ ...daily, run: async () => void ran.push('again') })], isRunning: true })
      await add('after')
      await expect.poll(() => ran).toEqual(['daily', 'after'])
    })

    test('starts only once its current run has ended, and then once, however often it was asked for', async () => {
      const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
      const slow = job({
        ...daily,
        run: async () => {
          ran.push('daily')
          await mayEnd
        },
      })
      await lastRunDaysAgo(1)
      await start({ jobs: [write, slow], isRunning: true })
      await expect.poll(() => ran).toEqual(['daily'])
      // Due again by the cron pattern, on another process, and on request.
      await lastRunDaysAgo(1)
      await start({ jobs: [write, slow], isRunning: true })
      for (let times = 0; times < 2; times++) await transact(database.db, (tx) => runSoon(tx, SERVICE, 'daily'))
      for (const text of ['a', 'b', 'c', 'd']) await add(text)
      await expect.poll(() => ran.toSorted()).toEqual(['a', 'b', 'c', 'd', 'daily'])
      end()
      const jobs = sql.table(`${SERVICE}_jobs._private_jobs`)
      await expect.poll(async () => (await sql`select 1 from ${jobs}`.execute(database.db)).rows).toEqual([])
      expect(ran.filter((text) => text === 'daily')).toHaveLength(2)
    })
  })

  test('a job that ends because its process stops goes on in another at once, and has not failed', async () => {
    const runs: string[] = []
    const long = job<{ text: string }>({
      name: 'write',
      run: async ({ text }, signal) => {
        ran.push(text)
        if (ran.length === 1) await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    const watched = { jobs: [long], isRunning: true, observe: ({ hasFailed }: { hasFailed: boolean }) => runs.push(`failed: ${hasFailed}`) }
    const first = await start({ ...watched, onError: () => runs.push('an error') })
    await add('long', { key: 'long', queue: 'long' })
    await expect.poll(() => ran).toEqual(['long'])
    // A run requested meanwhile is the same work.
    await add('long', { key: 'long', queue: 'long' })
    await first.close()
    await start(watched)
    const jobs = sql.table(`${SERVICE}_jobs._private_jobs`)
    await expect.poll(async () => (await sql`select 1 from ${jobs}`.execute(database.db)).rows).toEqual([])
    expect([ran, runs]).toEqual([
      ['long', 'long'],
      ['failed: false', 'failed: false'],
    ])
  })

  test('what a killed process had begun is begun again within seconds, and what runs for long is not', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const slow = job({
      name: 'slow',
      run: async () => {
        ran.push('slow')
        await mayEnd
      },
    })
    await start({ jobs: [write, slow], isRunning: true, sweepMilliseconds: 100 })
    await transact(database.db, (tx) => addJob(tx, SERVICE, 'slow', {}))
    await expect.poll(() => ran).toEqual(['slow'])
    const jobs = sql.table(`${SERVICE}_jobs._private_jobs`)
    // As if each had started a while ago, one of them on a process that was killed.
    await add('killed', { runAt: new Date(Date.now() + 60_000) })
    await sql`update ${jobs} set locked_at = now() - interval '1 minute' where locked_by is not null`.execute(database.db)
    await sql`update ${jobs} set locked_at = now() - interval '1 minute', locked_by = 'killed', run_at = now() where locked_by is null`.execute(
      database.db,
    )
    await start({ jobs: [write, slow], isRunning: true, sweepMilliseconds: 100, pollMilliseconds: 100 })
    await expect.poll(() => ran).toEqual(['slow', 'killed'])
    end()
    await expect.poll(async () => (await sql`select 1 from ${jobs}`.execute(database.db)).rows).toEqual([])
    expect(ran).toEqual(['slow', 'killed'])
  })

  describe('jobs in order', () => {
    const ORDERED = Array.from({ length: 20 }, (_, index) => `${index}`)
    let isAway = false
    const ordered = job<{ text: string }>({
      name: 'write',
      inOrder: true,
      run: async ({ text }) => {
        ran.push(text)
        if (isAway) throw unavailable('away')
        if (text === 'wrong') throw new Error('wrong')
      },
    })
    const addAll = (texts: readonly string[]) =>
      transact(database.db, async (tx) => {
        for (const text of texts) await addJob(tx, SERVICE, 'write', { text }, { queue: 'one', key: text })
      })
    const left = async () =>
      (await sql<{ count: number }>`select count(*)::int count from ${sql.table(`${SERVICE}_jobs._private_jobs`)}`.execute(database.db))
        .rows[0]?.count

    test('of one transaction run as they were added', async () => {
      await addAll(ORDERED)
      await start({ ...NEVER_POLLS, jobs: [ordered], atOnce: 4 })
      await expect.poll(() => ran).toEqual(ORDERED)
    })

    test('wait for one that meets an outage', async () => {
      isAway = true
      await addAll(ORDERED)
      const onError = vi.fn()
      await start({ ...NEVER_POLLS, jobs: [ordered], atOnce: 4, onError })
      await expect.poll(() => ran.length).toBeGreaterThan(1)
      isAway = false
      await expect.poll(() => ran.at(-1)).toBe('19')
      expect(onError).toHaveBeenCalledTimes(ran.length - 20)
      expect(new Set(ran.slice(0, -19))).toEqual(new Set(['0']))
      expect(ran.slice(-19)).toEqual(ORDERED.slice(1))
    })

    test('keep their places when the process stops during an outage', async () => {
      isAway = true
      await addAll(ORDERED)
      const first = await start({ ...NEVER_POLLS, jobs: [ordered], atOnce: 4 })
      await expect.poll(() => ran.length).toBeGreaterThan(1)
      await first.close()
      expect([await left(), new Set(ran)]).toEqual([20, new Set(['0'])])
      isAway = false
      ran = []
      await start({ ...NEVER_POLLS, jobs: [ordered], atOnce: 4 })
      await expect.poll(() => ran).toEqual(ORDERED)
    })

    test('go on after one that is wrong by itself', async () => {
      isAway = false
      await addAll(['wrong', 'right'])
      await start({ jobs: [ordered], isRunning: true })
      await expect.poll(() => ran).toEqual(['wrong', 'right'])
    })
  })

  test('a worker that closes while it begins again ends', async () => {
    const worker = await start({ isRunning: true })
    const administrator = openDatabase({ url: own.url('postgres') })
    // It receives no notifications until it listens; the table that it reads first is locked.
    const isEndedAndBegins = async () => {
      await sql`select pg_notify('worker:migrate', '{"breaking": true}')`.execute(database.db)
      const waits = sql`select 1 from pg_stat_activity where usename = ${SERVICE} and wait_event_type = 'Lock'`
      return (await waits.execute(database.db)).rows.length > 0
    }
    let closing: Promise<void> | undefined
    await transact(administrator.db, async (tx) => {
      await sql`lock table ${sql.table(`${SERVICE}_jobs.migrations`)} in access exclusive mode`.execute(tx)
      await expect.poll(isEndedAndBegins).toBe(true)
      closing = worker.close()
    })
    await closing
    await administrator.close()
    expect(process.exitCode).toBeUndefined()
  })

  test('a worker that closes finishes what it began', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const slow = job({
      name: 'write',
      run: async () => {
        begin()
        await mayEnd
        ran.push('done')
      },
    })
    const worker = await start({ jobs: [slow], isRunning: true })
    await add('a')
    await begun
    const closing = worker.close()
    end()
    await closing
    expect(ran).toEqual(['done'])
  })
})
