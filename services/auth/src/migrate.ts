import { runMigrations } from '@rookery/runtime/service'
import { auth } from './process.ts'

await runMigrations(auth)
