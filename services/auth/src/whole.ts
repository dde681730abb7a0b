import { runWhole } from '@rookery/runtime/service'
import { auth } from './process.ts'

await runWhole(auth)
