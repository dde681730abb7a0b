import { runBackground } from '@rookery/runtime/service'
import { statuses } from './process.ts'

await runBackground(statuses)
