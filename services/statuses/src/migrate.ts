import { runMigrations } from '@rookery/runtime/service'
import { statuses } from './process.ts'

await runMigrations(statuses)
