export { type EmbeddedPostgres, type PostgresOptions, runningPostgres, startPostgres } from './postgres.ts'
