import { runMigrations } from '@rookery/runtime/service'
import { notifications } from './process.ts'

await runMigrations(notifications)
