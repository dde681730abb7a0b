import { runMigrations } from '@rookery/runtime/service'
import { media } from './process.ts'

await runMigrations(media)
