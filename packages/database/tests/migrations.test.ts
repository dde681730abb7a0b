import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  changeInPieces,
  createIndexConcurrently,
  idsWithoutSpread,
  type MigrationSet,
  type MigrationStep,
  migrate,
  openDatabase,
  registerCode,
  spreadOfIds,
  transact,
} from '../src/index.ts'
import { openSchema, type Tables } from './schema.ts'

// biome-ignore lint/suspicious/noExplicitAny: tables of the test's own
type Up = (db: Kysely<any>) => Promise<unknown>

const expand = (up: Up = async () => {}): MigrationStep => ({ phase: 'expand', up: async (db) => void (await up(db)) })
const contract = (after: string, up: Up = async () => {}): MigrationStep => ({
  phase: 'contract',
  after,
  up: async (db) => void (await up(db)),
})
const setOf = (steps: MigrationSet['steps']): MigrationSet => ({ name: 'test', steps })

let schema: Awaited<ReturnType<typeof openSchema>>
beforeEach(async () => {
  schema = await openSchema()
})
afterEach(() => schema.close())

const openAnother = () => {
  const database = openDatabase<Tables>({ url: schema.own.url('one') })
  onTestFinished(() => database.close())
  return database
}
const ranSteps = async () => {
  const { rows } = await sql<{ name: string }>`select name from test_migration order by name`.execute(schema.database.db)
  return rows.map(({ name }) => name)
}
/** A transaction that has read the notes and stays open until it is released or the test ends. */
const startReading = async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const reading = transact(openAnother().db, async (tx) => {
    await sql`select id from note`.execute(tx)
    begun.resolve()
    await released
  })
  onTestFinished(() => release())
  // A step that ran before the reader would not be blocked.
  await begun.promise
  return { reading, release }
}
/** A process with code of some version, until the test or the process ends. */
const running = async (set: MigrationSet) => {
  const code = await registerCode(openAnother().db, [set], { onError: () => {} })
  return code
}

describe('migrations', () => {
  test('of four replicas that start at once one migrates and the others wait', async () => {
    let ran = 0
    const set = setOf({
      '0001-slow': expand(async (db) => {
        ran++
        await sql`create table slow (id bigint)`.execute(db)
        await sql`select pg_sleep(0.1)`.execute(db)
      }),
      '0002-next': expand(async (db) => {
        ran++
        await sql`alter table slow add column text text`.execute(db)
      }),
    })
    await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const { db } = openAnother()
        await migrate(db, set)
        await sql`select id, text from slow`.execute(db)
      }),
    )
    expect(ran).toBe(2)
  })

  test('a step that fails leaves nothing behind and is run again; those before it stay', async () => {
    let isBroken = true
    const set = setOf({
      '0001-whole': expand((db) => sql`create table whole (id bigint)`.execute(db)),
      '0002-half': expand(async (db) => {
        await sql`create table half (id bigint)`.execute(db)
        if (isBroken) throw new Error('no room')
      }),
    })
    await expect(migrate(schema.database.db, set)).rejects.toThrow('no room')
    expect(await ranSteps()).toEqual(['0001-whole'])
    isBroken = false
    await migrate(schema.database.db, set)
    expect(await ranSteps()).toEqual(['0001-whole', '0002-half'])
  })

  test('a schema of the time before phases goes on from where it stands', async () => {
    const { db } = schema.database
    await sql`create table test_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
    await sql`insert into test_migration values ('0001-old', '2026-01-01T00:00:00.000Z')`.execute(db)
    let runs = 0
    await migrate(db, setOf({ '0001-old': expand(async () => runs++), '0002-new': expand() }))
    expect([runs, await ranSteps()]).toEqual([0, ['0001-old', '0002-new']])
  })

  test('code that ends while it says that it runs is not said to run afterwards', async () => {
    const { db } = schema.database
    const database = openAnother()
    const code = await registerCode(database.db, [setOf({ '0001-old': expand() })], { onError: () => {}, everyMilliseconds: 1 })
    await sql`create function wait_for_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(99); return new; end $$`.execute(db)
    await sql`create trigger wait_for_test before insert on running_code for each row execute function wait_for_test()`.execute(db)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const holding = transact(db, async (tx) => {
      await sql`select pg_advisory_xact_lock(99)`.execute(tx)
      hold()
      await released
    })
    await held
    const waiting = sql`select 1 from pg_locks where locktype = 'advisory' and objid = 99 and not granted
      and database = (select oid from pg_database where datname = current_database())`
    while ((await waiting.execute(db)).rows.length === 0);
    const closed = code.close()
    // If the deletion did not wait, it would finish before these statements on another session.
    for (let asked = 0; asked < 50; asked++) await sql`select 1`.execute(database.db)
    release()
    await Promise.all([holding, closed])
    await database.close()
    expect((await sql`select set_name from running_code`.execute(db)).rows).toEqual([])
  })

  test('no one in front of the table waits long for a step, which comes again until it has its lock', async () => {
    const { db } = schema.database
    const { reading, release } = await startReading()
    const migrating = migrate(db, setOf({ '0001-column': expand((tx) => sql`alter table note add column more text`.execute(tx)) }))
    await expect
      .poll(() => sql`select 1 from pg_locks where not granted and mode = 'AccessExclusiveLock'`.execute(db).then(({ rows }) => rows))
      .toHaveLength(1)
    // It queues behind the step, which gives up within its second and retries later.
    await transact(openAnother().db, async (tx) => {
      await sql`set local lock_timeout = '2500ms'`.execute(tx)
      await sql`select id from note limit 1`.execute(tx)
    })
    expect(await ranSteps()).toEqual([])
    release()
    await Promise.all([reading, migrating])
    expect(await ranSteps()).toEqual(['0001-column'])
  })

  test('a lock that is never free fails the migration in the end', async () => {
    const { reading, release } = await startReading()
    const set = setOf({ '0001-column': expand((tx) => sql`alter table note add column more text`.execute(tx)) })
    await expect(migrate(schema.database.db, set, { timeoutMilliseconds: 100 })).rejects.toThrow('lock timeout')
    release()
    await reading
    expect(await ranSteps()).toEqual([])
  })

  test('an index is made while others write and wait to migrate, and again after a try that failed', async () => {
    let tries = 0
    const set = setOf({
      '0001-index': {
        phase: 'expand',
        isTransactional: false,
        async up(db) {
          await createIndexConcurrently(db, { name: 'note_length', on: 'note (length(text))' })
          if (++tries === 1) throw new Error('killed')
        },
      },
    })
    await expect(migrate(schema.database.db, set)).rejects.toThrow('killed')
    const others = [openAnother(), openAnother()]
    await Promise.all([migrate(schema.database.db, set), ...others.map(({ db }) => migrate(db, set))])
    const { rows } = await sql`select 1 from pg_index where indexrelid = 'note_length'::regclass and indisvalid`.execute(schema.database.db)
    expect([rows.length, tries]).toEqual([1, 2])
  })

  test('many rows are changed a few at a time', async () => {
    const { statements } = schema
    const step: MigrationStep = {
      phase: 'expand',
      isTransactional: false,
      up: (db) =>
        changeInPieces(db, `update note set text = 'x' || id where id = any(array(select id from note where text not like 'x%' limit 3))`),
    }
    await migrate(schema.database.db, setOf({ '0001-texts': step }))
    expect(statements.filter((text) => text.startsWith('update note'))).toHaveLength(5)
    const { rows } = await sql`select 1 from note where text not like 'x%'`.execute(schema.database.db)
    expect(rows).toEqual([])
  })

  test('a pair is looked up by its key although each half stood alone so far', async () => {
    const { db } = schema.database
    await sql`create table kept (id bigint primary key, account_id bigint not null, note_id bigint not null)`.execute(db)
    await sql`create unique index kept_once on kept (account_id, note_id)`.execute(db)
    await sql`create index kept_latest on kept (note_id, id desc)`.execute(db)
    await sql`insert into kept select id, id % 10, id from generate_series(1, 2000) id`.execute(db)
    const indexes = async () => {
      await sql`analyze kept`.execute(db)
      const pair = sql.raw('account_id = $1::bigint and note_id = $2::bigint')
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (generic_plan) delete from kept where ${pair}`.execute(db)
      return rows
        .map((row) => row['QUERY PLAN'])
        .join()
        .match(/kept_\w+/g)
    }
    expect(await indexes()).toEqual(['kept_latest'])
    expect(await idsWithoutSpread(db)).toContainEqual({ table: 'kept', columns: ['account_id', 'note_id'] })
    await migrate(db, setOf({ '0001-spread': spreadOfIds }))
    expect(await indexes()).toEqual(['kept_once'])
    expect(await idsWithoutSpread(db)).toEqual([])
  })
})

describe('what a schema loses', () => {
  const VERSION_1 = setOf({ '0001-base': expand() })
  const VERSION_2 = setOf({ ...VERSION_1.steps, '0002-without': expand() })
  const VERSION_3 = setOf({ ...VERSION_2.steps, '0003-drop': contract('0002-without') })
  const VERSION_4 = setOf({ ...VERSION_3.steps, '0004-again': expand() })

  test('is kept before an upgrade, and while code that needs it runs; and goes with the last of that code', async () => {
    const { db } = schema.database
    await migrate(db, VERSION_1)
    const old = await running(VERSION_1)
    await running(VERSION_3)
    expect(await migrate(db, VERSION_3, { phase: 'expand' })).toEqual(['0003-drop'])
    expect(await migrate(db, VERSION_3)).toEqual(['0003-drop'])
    expect(await migrate(db, VERSION_3, { phase: 'contract', timeoutMilliseconds: 300 })).toEqual(['0003-drop'])
    const contracting = migrate(db, VERSION_3, { phase: 'contract' })
    await old.close()
    expect(await contracting).toEqual([])
    expect(await ranSteps()).toEqual(['0001-base', '0002-without', '0003-drop'])
  })

  test('goes while code runs that does without already, and that code can be started again', async () => {
    const { db } = schema.database
    await running(VERSION_2)
    expect(await migrate(db, VERSION_3)).toEqual([])
    expect(await migrate(db, VERSION_2)).toEqual([])
  })

  test('keeps older code from starting, with an error that says why; what was only added does not', async () => {
    const { db } = schema.database
    await migrate(db, VERSION_2)
    await migrate(db, VERSION_1)
    await migrate(db, VERSION_3)
    await expect(migrate(db, VERSION_1)).rejects.toThrow(
      /schema of test is that of a newer version.*\(0003-drop\).*oldest that can run has the step 0002-without/,
    )
  })

  test('goes before what follows upon it, or the version is refused while code of before runs', async () => {
    const { db } = schema.database
    await migrate(db, VERSION_1)
    const old = await running(VERSION_1)
    await expect(migrate(db, VERSION_4, { phase: 'expand' })).rejects.toThrow(
      /cannot follow upon the one that runs.*0003-drop.*Upgrade first to a version that has the step 0002-without/,
    )
    expect(await ranSteps()).toEqual(['0001-base'])
    await old.close()
    await running(VERSION_2)
    expect(await migrate(db, VERSION_4, { phase: 'expand' })).toEqual([])
    expect(await ranSteps()).toEqual(['0001-base', '0002-without', '0003-drop', '0004-again'])
  })

  test('is not kept for a process that was not heard of for long', async () => {
    const { db } = schema.database
    await running(VERSION_1)
    await sql`update running_code set seen_at = now() - interval '91 seconds'`.execute(db)
    expect(await migrate(db, VERSION_3)).toEqual([])
  })
})

describe('a baseline', () => {
  const make = async (db: Kysely<unknown>) => void (await sql`create table nest (id bigint primary key, eggs integer)`.execute(db))
  const STEPS = setOf({
    '0001-nests': expand((db) => sql`create table nest (id bigint primary key)`.execute(db)),
    '0002-eggs': expand((db) => sql`alter table nest add column eggs integer`.execute(db)),
  })
  const BASELINE: MigrationSet = {
    ...setOf({ '0003-birds': expand((db) => sql`alter table nest add column bird text`.execute(db)) }),
    baseline: { replaces: ['0001-nests', '0002-eggs'], up: make },
  }
  const EVERY_STEP = ['0001-nests', '0002-eggs', '0003-birds']

  test('makes a new schema, which the version before it takes for its own', async () => {
    await migrate(schema.database.db, BASELINE)
    expect(await ranSteps()).toEqual(EVERY_STEP)
    expect(await migrate(openAnother().db, STEPS)).toEqual([])
    expect(await migrate(openAnother().db, BASELINE)).toEqual([])
  })

  test('is not made again where its steps have run, and rows stay', async () => {
    await migrate(schema.database.db, STEPS)
    await sql`insert into nest (id, eggs) values (1, 3)`.execute(schema.database.db)
    await migrate(schema.database.db, BASELINE)
    expect(await ranSteps()).toEqual(EVERY_STEP)
    expect((await sql`select * from nest`.execute(schema.database.db)).rows).toEqual([{ id: '1', eggs: 3, bird: null }])
  })

  test('refuses a schema that has had some of its steps only, and leaves it as it is', async () => {
    await migrate(schema.database.db, setOf({ '0001-nests': STEPS.steps['0001-nests']! }))
    await expect(migrate(schema.database.db, BASELINE)).rejects.toThrow(
      'The schema of test is too old for this version, which no longer has the step 0002-eggs. Start first a version that has the step 0002-eggs, and then this one.',
    )
    expect(await ranSteps()).toEqual(['0001-nests'])
  })

  test('that failed leaves nothing', async () => {
    const failing: MigrationSet = {
      ...BASELINE,
      baseline: { replaces: ['0001-nests'], up: async (db) => make(db).then(() => Promise.reject(new Error('no room'))) },
    }
    await expect(migrate(schema.database.db, failing)).rejects.toThrow('no room')
    expect(await ranSteps()).toEqual([])
    await migrate(schema.database.db, BASELINE)
    expect(await ranSteps()).toEqual(EVERY_STEP)
  })

  test('counts as known what a later step takes away after', async () => {
    const next = {
      ...BASELINE,
      steps: { ...BASELINE.steps, '0004-no-eggs': contract('0002-eggs', (db) => sql`alter table nest drop column eggs`.execute(db)) },
    }
    await migrate(schema.database.db, BASELINE)
    const code = await running(BASELINE)
    expect(await migrate(schema.database.db, next)).toEqual([])
    expect(await ranSteps()).toEqual([...EVERY_STEP, '0004-no-eggs'])
    expect(await migrate(openAnother().db, BASELINE)).toEqual([])
    await code.close()
  })
})
