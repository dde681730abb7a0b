export { type EmbeddedPostgres, type PostgresOptions, startPostgres } from './postgres.ts'
