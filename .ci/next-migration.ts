// Of the version that the tests of upgrades upgrade to: what an ordinary step does, to a table that is in use.
;(migrations.steps as Record<string, unknown>)['9999-next-version'] = {
  phase: 'expand',
  async up(db: import('kysely').Kysely<unknown>) {
    await db.schema.alterTable('status').addColumn('next_version', 'text').execute()
  },
}
