export { type EmbeddedPostgres, runningPostgres, startPostgres } from './postgres.ts'
