const PARTS = [
  `select format('%s.%s %s%s%s%s default %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then ' not null' end,
     case when a.attidentity <> '' then ' identity ' || a.attidentity::text end, case when a.attgenerated <> '' then ' generated' end,
     pg_get_expr(d.adbin, d.adrelid)) line
   from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' order by c.relname, a.attnum`,
  `select format('%s constraint %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) line
   from pg_constraint where connamespace = current_schema()::regnamespace order by 1`,
  `select pg_get_indexdef(indexrelid) line from pg_index join pg_class c on c.oid = indrelid
   where c.relnamespace = current_schema()::regnamespace order by 1`,
  `select format('%s %s %s', relkind, relname, array_to_string(reloptions, ', ')) line from pg_class
   where relnamespace = current_schema()::regnamespace order by 1`,
  `select format('%s owned by %s', objid::regclass, refobjid::regclass) line from pg_depend join pg_class c on c.oid = objid
   where c.relkind = 'S' and c.relnamespace = current_schema()::regnamespace and refclassid = 'pg_class'::regclass order by 1`,
  `select format('%s %s', proname, pg_get_functiondef(oid)) line from pg_proc where pronamespace = current_schema()::regnamespace order by 1`,
  `select pg_get_triggerdef(t.oid) line from pg_trigger t join pg_class c on c.oid = tgrelid
   where not tgisinternal and c.relnamespace = current_schema()::regnamespace order by 1`,
]

/** A schema as Postgres's catalogs have it, line by line. Columns stand in their order, all else by name. */
export const describeSchema = async (pool: { query(text: string): Promise<{ rows: { line: string }[] }> }): Promise<string[]> => {
  const lines: string[] = []
  for (const part of PARTS) lines.push(...(await pool.query(part)).rows.map(({ line }) => line))
  return lines
}
