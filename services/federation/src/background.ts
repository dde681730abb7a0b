import { runBackground } from '@rookery/runtime/service'
import { federation } from './process.ts'

await runBackground(federation)
