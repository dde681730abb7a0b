import { runWhole } from '@rookery/runtime/service'
import { statuses } from './process.ts'

await runWhole(statuses)
