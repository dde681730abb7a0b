import { runServing } from '@rookery/runtime/service'
import { federation } from './process.ts'

await runServing(federation)
