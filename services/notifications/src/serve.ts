import { runServing } from '@rookery/runtime/service'
import { notifications } from './process.ts'

await runServing(notifications)
