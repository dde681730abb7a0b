import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { FederationTables } from '../database/schema.ts'
import type { ConfiguredTextTable, InstancePictureTable, PictureKind, TextName } from '../database/tables/instance.ts'

/** Compared as text: an invalid or too large number then matches no rule, instead of causing an error. */
const ID_AS_TEXT = sql<string>`id::text`

/** A text and when it last changed. */
export type StoredText = { name: TextName; value: string; updatedAt: Date }

/** A picture that staff uploaded, without its bytes. */
type StoredPicture = Omit<InstancePictureTable, 'content'>

type StoredRule = { id: string; text: string; hint: string }

/** The rules as staff left them, in display order, and those that they removed. */
export type StoredRules = { rules: StoredRule[]; removed: StoredRule[] }

/** Rules in display order, and those that staff removed, as columns of a statement. */
const RULES = sql`
  (select coalesce(json_agg(json_build_object('id', id::text, 'text', text, 'hint', hint) order by priority, id), '[]') from rule) as rules,
  (select coalesce(json_agg(json_build_object('id', id::text, 'text', text, 'hint', hint) order by id), '[]') from removed_rule) as removed`

/** The stored part of the instance document. */
type StoredInstance = StoredRules & {
  texts: Pick<StoredText, 'name' | 'value'>[]
  pictures: StoredPicture[]
  hasTerms: boolean
}

export class InstanceReader {
  readonly #db: Db<FederationTables>

  constructor(db: Db<FederationTables>) {
    this.#db = db
  }

  /** Reads everything for `GET /api/v2/instance` in one statement, so that a fresh process opens one connection instead of four. */
  async instance(): Promise<StoredInstance> {
    const { rows } = await sql<StoredInstance>`select
      (select coalesce(json_agg(json_build_object('name', name, 'value', value)), '[]') from instance_text) as texts,
      ${RULES},
      (select coalesce(json_agg(json_build_object('kind', kind, 'contentType', content_type, 'width', width, 'height', height, 'digest', digest)), '[]')
        from instance_picture) as pictures,
      exists (select from terms_of_service) as has_terms`.execute(this.#db)
    return rows[0]!
  }

  async texts(): Promise<StoredText[]> {
    return this.#db.selectFrom('instanceText').select(['name', 'value', 'updatedAt']).execute()
  }

  /** The last known value of a text in the settings. */
  async configuredText(name: TextName): Promise<ConfiguredTextTable | undefined> {
    return this.#db.selectFrom('configuredText').selectAll().where('name', '=', name).executeTakeFirst()
  }

  /** The pictures that staff uploaded, without their bytes. */
  async pictures(): Promise<StoredPicture[]> {
    return this.#db.selectFrom('instancePicture').select(['kind', 'contentType', 'width', 'height', 'digest']).execute()
  }

  async picture(kind: PictureKind): Promise<{ contentType: string; content: Buffer } | undefined> {
    return this.#db.selectFrom('instancePicture').select(['contentType', 'content']).where('kind', '=', kind).executeTakeFirst()
  }

  async rules(): Promise<StoredRules> {
    return (await sql<StoredRules>`select ${RULES}`.execute(this.#db)).rows[0]!
  }
}

export class InstanceWriter {
  readonly #tx: Tx<FederationTables>

  constructor(tx: Tx<FederationTables>) {
    this.#tx = tx
  }

  /** Stores a text, which overrides the settings. */
  async putText(name: TextName, value: string, updatedAt: Date): Promise<void> {
    const row = { name, value, updatedAt }
    await this.#tx
      .insertInto('instanceText')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updatedAt }))
      .execute()
  }

  /** Removes a stored text, so that the settings apply again. */
  async removeText(name: TextName): Promise<void> {
    await this.#tx.deleteFrom('instanceText').where('name', '=', name).execute()
  }

  /** Stores a picture, replacing the one of its kind. */
  async putPicture(picture: InstancePictureTable): Promise<void> {
    const { kind: _kind, ...columns } = picture
    const query = this.#tx.insertInto('instancePicture').values(picture)
    await query.onConflict((conflict) => conflict.column('kind').doUpdateSet(columns)).execute()
  }

  async removePicture(kind: PictureKind): Promise<void> {
    await this.#tx.deleteFrom('instancePicture').where('kind', '=', kind).execute()
  }

  /** Locks the rules against other writers until the transaction ends. If none were stored so far, stores these, numbered from 1. */
  async adoptRules(texts: readonly string[]): Promise<void> {
    await sql`lock table rule in share row exclusive mode`.execute(this.#tx)
    const { rows } = await sql`select from rule union all select from removed_rule limit 1`.execute(this.#tx)
    if (rows.length > 0) return
    for (const [index, text] of texts.entries()) {
      await sql`insert into rule (id, text, priority) overriding system value values (${index + 1}, ${text}, ${index + 1})`.execute(
        this.#tx,
      )
    }
    await sql`select setval(pg_get_serial_sequence('rule', 'id'), greatest(${texts.length + 1}, nextval(pg_get_serial_sequence('rule', 'id'))), false)`.execute(
      this.#tx,
    )
  }

  /** Adds a rule after the others. */
  async addRule(rule: { text: string; hint: string }): Promise<void> {
    await sql`insert into rule (text, hint, priority) select ${rule.text}, ${rule.hint}, coalesce(max(priority), 0) + 1 from rule`.execute(
      this.#tx,
    )
  }

  /** Changes a rule. Returns false if there is none with this id. */
  async changeRule(id: string, rule: { text: string; hint: string }): Promise<boolean> {
    return (await this.#tx.updateTable('rule').set(rule).where(ID_AS_TEXT, '=', id).executeTakeFirst()).numUpdatedRows > 0n
  }

  /** Removes a rule and returns its text; undefined if there is none with this id. */
  async removeRule(id: string): Promise<string | undefined> {
    const { rows } = await sql<{ text: string }>`
      with gone as (delete from rule where ${ID_AS_TEXT} = ${id} returning id, text, hint)
      insert into removed_rule (id, text, hint) select id, text, hint from gone returning text`.execute(this.#tx)
    return rows[0]?.text
  }

  /** Stores a text of the settings and returns when it last changed: processes that record the same change agree on its time. */
  async keepConfiguredText(row: ConfiguredTextTable): Promise<Date> {
    const kept = await this.#tx
      .insertInto('configuredText')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(({ eb, ref }) => ({
          value: ref('excluded.value'),
          changedAt: eb
            .case()
            .when('configuredText.value', '=', ref('excluded.value'))
            .then(ref('configuredText.changedAt'))
            .else(ref('excluded.changedAt'))
            .end(),
        })),
      )
      .returning('changedAt')
      .executeTakeFirstOrThrow()
    return kept.changedAt
  }
}
