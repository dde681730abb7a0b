import { expect, test } from 'vitest'
import { faultsOf, madeTable } from './statement.rules.ts'

const ownTables = new Set(['fresh'])
const EXPAND = { phase: 'expand', isTransactional: true, ownTables } as const
const OUTSIDE = { phase: 'expand', isTransactional: false, ownTables } as const
const CONTRACT = { phase: 'contract', isTransactional: true, ownTables } as const

test.each([
  ['create table fresh (id bigint)', EXPAND],
  ['create index fresh_id on fresh (id)', EXPAND],
  ['insert into fresh (id) select id from old', EXPAND],
  ['alter table fresh alter column id set not null', EXPAND],
  ['alter table old add column more text', EXPAND],
  ["alter table old add column more jsonb not null default '[]'", EXPAND],
  ['alter table old add column a text, add column b numeric(4, 2)', EXPAND],
  ['alter table old alter column more drop not null', EXPAND],
  ['alter table old alter column more set (n_distinct = -0.02)', EXPAND],
  ["alter table old drop constraint old_kind, add constraint old_kinds check (kind in ('a', 'b')) not valid", EXPAND],
  ['alter table old validate constraint old_kinds', OUTSIDE],
  ['create index concurrently "old_more" on old (more)', OUTSIDE],
  ['drop index concurrently if exists "old_more"', OUTSIDE],
  ['update old set more = text where id = any(array(select id from old where more is null limit 1000))', OUTSIDE],
  ['create trigger old_added after insert on old referencing new table as added for each statement execute function f()', EXPAND],
  ['alter table old drop column more', CONTRACT],
  ['drop table old', CONTRACT],
])('may run beside code of before: %s', (text, step) => expect(faultsOf(text, step)).toEqual([]))

test.each([
  ['create index old_more on old (more)', EXPAND, 'while its index is made'],
  ['create unique index old_more on only old (more)', CONTRACT, 'while its index is made'],
  ['alter table old drop column more', EXPAND, 'that is for contract'],
  ['alter table old rename column more to less', EXPAND, 'that is for contract'],
  ['alter table old rename to older', EXPAND, 'that is for contract'],
  ['alter table old alter column more type bigint', EXPAND, 'that is for contract'],
  ['alter table old alter column more set not null', EXPAND, 'that is for contract'],
  ['alter table old add column more text not null', EXPAND, 'leaves the column out'],
  ['alter table old add column at timestamptz default clock_timestamp()', EXPAND, 'rewrites the whole table'],
  ['alter table old add column sum int generated always as (a + b) stored', EXPAND, 'rewrites the whole table'],
  ['alter table old add column other_id bigint references other', EXPAND, 'reads the whole table'],
  ['alter table old add constraint old_kind check (kind > 0)', EXPAND, 'while no one may write'],
  ['alter table old add constraint old_kind check (kind > 0) not valid', EXPAND, 'may refuse what code of before writes'],
  ['alter table old add column fine text, drop column more', EXPAND, 'that is for contract'],
  ['alter table old validate constraint old_kinds', EXPAND, 'not transactional'],
  ['alter table old alter column more type bigint', CONTRACT, 'no form that is known'],
  ['drop table old', EXPAND, 'that is for contract'],
  ['drop index old_more', CONTRACT, 'dropped concurrently'],
  ['drop index concurrently old_more', OUTSIDE, 'that is for contract'],
  ['update old set more = 1', EXPAND, 'stay locked'],
  ['update old set more = 1', OUTSIDE, 'all at once'],
  ['delete from old where more = 1', CONTRACT, 'stay locked'],
  ['with a as (select 1) update old set more = 1', EXPAND, 'stay locked'],
  ['-- a note\n  ALTER TABLE old\n DROP COLUMN more', EXPAND, 'that is for contract'],
  ['create trigger old_kept before insert on old for each row execute function f()', EXPAND, 'is not known'],
  ['vacuum full old', OUTSIDE, 'is not known'],
])('may not run beside code of before: %s', (text, step, why) => expect(faultsOf(text, step).join()).toContain(why))

test('knows which table a statement makes', () => {
  expect(madeTable('\n create table if not exists fresh (id bigint)')).toBe('fresh')
  expect(madeTable('create index a on b (c)')).toBeUndefined()
})
