import { runMigrations } from '@rookery/runtime/service'
import { federation } from './process.ts'

await runMigrations(federation)
