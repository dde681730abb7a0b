import { runServing } from '@rookery/runtime/service'
import { statuses } from './process.ts'

await runServing(statuses)
