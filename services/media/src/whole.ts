import { runWhole } from '@rookery/runtime/service'
import { media } from './process.ts'

await runWhole(media)
