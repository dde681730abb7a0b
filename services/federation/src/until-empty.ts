/** How long a job goes on with one host or actor before others have their turn, in milliseconds. */
const MAX_RUN = 60_000

/**
 * What waits, batch after batch, until nothing does, the signal aborts, or others are to have their turn. A batch of fewer than `full` is the
 * last one.
 */
export async function* untilEmpty<Item>(readBatch: () => Promise<readonly Item[]>, signal: AbortSignal, full = 1): AsyncGenerator<Item> {
  const end = performance.now() + MAX_RUN
  for (let batch = await readBatch(); batch.length > 0; batch = batch.length < full ? [] : await readBatch()) {
    for (const item of batch) {
      if (signal.aborted || performance.now() > end) return
      yield item
    }
  }
}
