import { parentPort, workerData } from 'node:worker_threads'

/** Reads one home after the other until it is stopped, in its own thread, so that the load generator does not affect the measurement. */
const { origin, tokens } = workerData as { origin: string; tokens: readonly string[] }
const times: number[] = []
let isStopped = false
parentPort?.once('message', () => {
  isStopped = true
})
for (let turn = 0; !isStopped; turn++) {
  const begun = performance.now()
  const headers = { authorization: `Bearer ${tokens[turn % tokens.length]}` }
  await (await fetch(`${origin}/api/v1/timelines/home?limit=20`, { headers })).arrayBuffer()
  times.push(performance.now() - begun)
}
parentPort?.postMessage(times.sort((a, b) => a - b))
