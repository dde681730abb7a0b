import { runWhole } from '@rookery/runtime/service'
import { notifications } from './process.ts'

await runWhole(notifications)
