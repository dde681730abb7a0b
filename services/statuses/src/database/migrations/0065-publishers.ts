import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** The sites whose links trended, and what staff decided about each. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // The domain answers: what was decided about the site of this link?
  await sql`create table publisher (
    id bigint generated always as identity primary key, domain text not null unique, requested_at timestamptz not null,
    is_approved boolean, reviewed_at timestamptz)`.execute(db)
  await sql`insert into publisher (domain, requested_at)
    select distinct substring(url from '^https?://(?:[^/?#@]*@)?(?:www[.])?([[][^]]+[]]|[^/?#:]+)'), now()
    from trend join preview_card on digest = key where kind = 'link' and rank > '-infinity'
      and length(substring(url from '^https?://(?:[^/?#@]*@)?(?:www[.])?([[][^]]+[]]|[^/?#:]+)')) <= 253`.execute(db)
}
