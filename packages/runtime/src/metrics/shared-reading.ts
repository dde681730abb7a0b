/**
 * One reading for several gauges, such as those that show columns of one statement. A scrape asks all gauges before the first answer arrives, so
 * each scrape reads once; the next scrape reads again.
 */
export const sharedReading = <Reading>(read: () => Promise<Reading>): (() => Promise<Reading>) => {
  let underWay: Promise<Reading> | undefined
  return () => {
    underWay ??= read().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}
