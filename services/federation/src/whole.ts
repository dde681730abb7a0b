import { runWhole } from '@rookery/runtime/service'
import { federation } from './process.ts'

await runWhole(federation)
