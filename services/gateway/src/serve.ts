import { runServing } from '@rookery/runtime/service'
import { gateway } from './process.ts'

await runServing(gateway)
