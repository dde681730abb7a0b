import { tmpdir } from 'node:os'
import { findConfinement, findProgram } from '../src/motion/confinement.ts'
import { runTool } from '../src/motion/run-tool.ts'

/** The entry of a process that a test kills during a run; its argument is the folder of the run. */
const [folder = tmpdir(), searchPath = ''] = process.argv.slice(2)
const shell = findProgram('sh', searchPath)!
const means = findConfinement(findProgram('true', searchPath)!, { folder, searchPath })
const limits = { cpuSeconds: 60, memoryBytes: 2 ** 30, fileBytes: 2 ** 20, niceness: 1 }
const script = 'echo begun > begun; while :; do sleep 0.1; echo x >> alive; done'
await runTool(means, { tool: shell, args: ['-c', script], folder, limits }, { deadline: 60_000, signal: new AbortController().signal })
