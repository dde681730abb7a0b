import { runServing } from '@rookery/runtime/service'
import { media } from './process.ts'

await runServing(media)
