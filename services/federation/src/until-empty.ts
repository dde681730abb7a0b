/** Maximum time of a job on one host or actor before others get their turn, in milliseconds. */
const MAX_RUN = 60_000

/** Yields items batch by batch until none are left, the signal aborts, or the time is up. A batch smaller than `full` is the last one. */
export async function* untilEmpty<Item>(readBatch: () => Promise<readonly Item[]>, signal: AbortSignal, full = 1): AsyncGenerator<Item> {
  const end = performance.now() + MAX_RUN
  for (let batch = await readBatch(); batch.length > 0; batch = batch.length < full ? [] : await readBatch()) {
    for (const item of batch) {
      if (signal.aborted || performance.now() > end) return
      yield item
    }
  }
}
