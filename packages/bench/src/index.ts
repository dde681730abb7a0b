import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type Options, readOptions, USAGE } from './config.ts'
import { seedCrowd } from './crowd.ts'
import { measureFanOut } from './fan-out.ts'
import { measureFavourites } from './favourites.ts'
import { measureFilms } from './films.ts'
import { openHarness, startBare } from './harness.ts'
import { drive } from './load.ts'
import { measureOtherServers } from './other-servers.ts'
import { compareWithPeer } from './peer.ts'
import { measure, requestsOf } from './requests.ts'
import { measureStorm } from './resumption.ts'
import { measureScaling } from './scaling.ts'
import { measureReaders, measureSockets } from './streams.ts'
import { printHead, printLine } from './table.ts'
import { measureUpkeep } from './upkeep.ts'
import { measureWrites } from './writes.ts'

const readOrExplain = (parameters: string[]): Options | undefined => {
  try {
    return readOptions(parameters)
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    process.exitCode = 1
    return undefined
  }
}

/**
 * Measures a server on this machine, beside a bare node:http server in the same run, and prints a table. Load goes to loopback only, except
 * that for `--peer`. @throws Error when wrk is missing or the server does not start
 */
export const bench = async (parameters: string[]): Promise<void> => {
  const options = readOrExplain(parameters)
  if (!options) return
  const wants = (what: string) => what.includes(options.only)
  console.log(
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${options.isApart ? 'services apart' : 'one process'}, ${options.size} statuses\n`,
  )
  if (options.isScaling) return measureScaling(options)
  if (!options.peer) printHead()

  const bare = await startBare(options)
  const load = await drive(bare.origin, { path: '/' }, options)
  await bare.stop()
  if (options.peer) console.log(`bare node:http: ${load.perSecond}/s\n`)
  else printLine({ what: 'bare node:http', perSecond: `${load.perSecond}/s`, p50: load.p50, p99: load.p99 })

  const harness = await openHarness(options)
  try {
    if (options.peer) return await compareWithPeer(harness, options, options.peer)
    const { server, database, beside } = harness.usage()
    const remark = beside && `${beside.megabytes} MB of the front, Redis and Kafka`
    printLine({ what: 'at rest', memory: `${server.megabytes} + ${database.megabytes} MB`, ...(remark && { remark }) })
    if (wants('readers of user')) for (const line of await measureReaders(harness, 'user')) printLine(line)
    if (wants('readers of public')) for (const line of await measureReaders(harness, 'public')) printLine(line)
    if (wants('streams opened at once')) for (const line of await measureStorm(harness)) printLine(line)
    if (wants('followers')) printLine(await measureFanOut(harness))
    if (wants('favourite')) printLine(await measureFavourites(harness))
    if (options.only === 'sockets') for (const line of await measureSockets(harness)) printLine(line)
    if (options.only === 'servers') for (const line of await measureOtherServers(harness)) printLine(line)
    if (options.only === 'films') for (const line of await measureFilms(harness, options)) printLine(line)
    const requests = options.only === 'million' ? await seedCrowd(harness.client) : requestsOf(harness.sizes)
    for (const [what, target] of Object.entries(requests)) {
      if (!wants(what)) continue
      printLine(await measure(what, harness, target, options))
      await pause(1000)
    }
    if (wants('favourite a status, follow someone and delete a status'))
      for (const line of await measureWrites(harness, options)) printLine(line)
    if (wants('upkeep')) for (const line of await measureUpkeep(harness)) printLine(line)
  } finally {
    await harness.close()
  }
}
