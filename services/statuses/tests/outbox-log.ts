import { Envelope } from '@rookery/contracts/events'
import type { World } from '@rookery/test-world'
import pg from 'pg'

type Event = { kind: string; value: Record<string, unknown> }

/** Keeps a copy of every event that statuses appends from now on, and gives those of a kind. */
export const logEvents = async (world: World) => {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  await client.query(`
    create table public.event_log (id bigserial, envelope bytea);
    create function public.log_event() returns trigger language plpgsql security definer as
      'begin insert into public.event_log (envelope) select envelope from added; return null; end';
    create trigger log_events after insert on statuses.outbox referencing new table as added
      for each statement execute function public.log_event()`)
  const read = async (): Promise<Event[]> => {
    const { rows } = await client.query<{ envelope: Buffer }>('select envelope from public.event_log order by id')
    return rows.flatMap(({ envelope }) => {
      const { fact } = Envelope.decode(envelope)
      return fact ? [{ kind: fact.$case, value: fact.value as unknown as Record<string, unknown> }] : []
    })
  }
  return {
    /** Those of these kinds, since the last time. */
    async take(...kinds: string[]): Promise<[kind: string, value: Record<string, unknown>][]> {
      const events = await read()
      await client.query('delete from public.event_log')
      return events.filter(({ kind }) => kinds.includes(kind)).map(({ kind, value }) => [kind, value])
    },
    end: () => client.end(),
  }
}
