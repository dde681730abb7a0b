import { cursorsOf, type Db, keyset, onceFound, type Page, type Tx } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import type { AuthTables } from '../database/schema.ts'
import type { AppealTable } from '../database/tables/appeal.ts'
import { STRIKES } from './act.rules.ts'
import type { StaffActRow } from './act.store.ts'
import { REVERSALS } from './appeal.rules.ts'

/** An appeal, and its state. */
export type Appeal = Pick<AppealTable, 'text' | 'state' | 'createdAt'>

/** An act with its appeal, as its account sees it. */
export type Strike = Omit<StaffActRow, 'accountId'> & {
  accountId: string
  /** Whether a later act reversed it. */
  isTakenBack: boolean
  /** Whether it was done again since. */
  isRepeated: boolean
  appeal: Appeal | undefined
}

type Row = Omit<Strike, 'appeal'> & { appealText: string; appealState: AppealTable['state'] | null; appealedAt: Date }

/** The maximum number of strikes shown to an account. */
const MAX_STRIKES = 100
/** The maximum number of appeals counted. */
const MAX_COUNTED = 1000

/** The condition of the partial index, which has these names as literals. */
const IS_STRIKE = sql`act.action in (${sql.join(STRIKES.map((name) => sql.lit(name)))})`
const REVERSAL = sql`case act.action ${sql.join(
  Object.entries(REVERSALS).map(([action, reversal]) => sql`when ${sql.lit(action)} then ${sql.lit(reversal)}`),
  sql` `,
)} end`

const hasLater = (action: RawBuilder<unknown>) =>
  sql`exists (select 1 from staff_act later where later.account_id = act.account_id and later.action = ${action} and later.id > act.id)`

const COLUMNS = sql`
  act.id, act.actor_id, act.action, act.account_id, act.target, act.text, act.report_id, act.created_at,
  ${hasLater(REVERSAL)} is_taken_back, ${hasLater(sql`act.action`)} is_repeated,
  appeal.text appeal_text, appeal.state appeal_state, appeal.created_at appealed_at`

const strikeOf = ({ appealText: text, appealState: state, appealedAt: createdAt, ...act }: Row): Strike => ({
  ...act,
  appeal: state ? { text, state, createdAt } : undefined,
})

export class AppealReader {
  protected readonly db: Db<AuthTables>

  constructor(db: Db<AuthTables>) {
    this.db = db
  }

  /** An account's strikes, latest first. */
  async strikesOf(accountId: string): Promise<Strike[]> {
    const found = await sql<Row>`
      select ${COLUMNS} from staff_act act left join appeal on appeal.act_id = act.id
      where act.account_id = ${accountId} and ${IS_STRIKE} order by act.id desc limit ${sql.lit(MAX_STRIKES)}`.execute(this.db)
    return found.rows.map(strikeOf)
  }

  async strike(id: string): Promise<Strike | undefined> {
    const found = await sql<Row>`
      select ${COLUMNS} from staff_act act left join appeal on appeal.act_id = act.id
      where act.id = ${id} and ${onceFound(sql`act.account_id is not null and ${IS_STRIKE}`)}`.execute(this.db)
    return found.rows.map(strikeOf)[0]
  }

  /** Acts with a pending appeal, latest first. */
  async pending(page: Page): Promise<Strike[]> {
    const { below, above, order, limit } = keyset(page)
    const found = await sql<Row>`
      select ${COLUMNS} from appeal join staff_act act on act.id = appeal.act_id
      where appeal.state = 'pending' and appeal.act_id < ${below} and appeal.act_id > ${above}
      order by appeal.act_id ${sql.raw(order)} limit ${limit}`.execute(this.db)
    return cursorsOf(page, found.rows.map(strikeOf), ({ id }) => id).rows
  }

  async countPending(): Promise<number> {
    const found = await sql<{ count: string }>`
      select count(*) from (select 1 from appeal where state = 'pending' limit ${sql.lit(MAX_COUNTED)}) waiting`.execute(this.db)
    return Number(found.rows[0]?.count ?? 0)
  }
}

export class AppealWriter extends AppealReader {
  constructor(tx: Tx<AuthTables>) {
    super(tx)
  }

  /** Adds an appeal; false if the act already has one. */
  async add(appeal: AppealTable): Promise<boolean> {
    const added = await this.db
      .insertInto('appeal')
      .values(appeal)
      .onConflict((conflict) => conflict.column('actId').doNothing())
      .executeTakeFirst()
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
  }

  /** Decides an appeal; false if it is not pending. */
  async decide(actId: string, state: AppealTable['state'], now: Date): Promise<boolean> {
    const decided = await this.db
      .updateTable('appeal')
      .set({ state, decidedAt: now })
      .where('actId', '=', actId)
      .where('state', '=', 'pending')
      .executeTakeFirst()
    return decided.numUpdatedRows > 0n
  }
}
