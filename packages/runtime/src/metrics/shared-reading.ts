/**
 * Shares one read among several gauges, such as columns of one statement. A scrape reads all gauges before the first answer arrives, so
 * there is one read per scrape.
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
