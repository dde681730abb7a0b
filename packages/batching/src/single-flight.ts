import { PassingMap } from './passing-map.ts'

type Flight<Value> = { current: Promise<Value>; next: Promise<Value> | undefined }

/**
 * Shares reads of the same key: one is under way, and all calls made meanwhile share the next. No call joins a read that was already sent,
 * so an answer is never older than its call.
 */
export const singleFlight = <Value>(): ((key: string, read: () => Promise<Value>) => Promise<Value>) => {
  const flights = new PassingMap<string, Flight<Value>>()

  const start = (key: string, read: () => Promise<Value>): Promise<Value> => {
    const current = read()
    const flight: Flight<Value> = { current, next: undefined }
    flights.set(key, flight)
    const land = () => {
      if (flights.get(key) === flight && !flight.next) flights.delete(key)
    }
    current.then(land, land)
    return current
  }

  return (key, read) => {
    const flight = flights.get(key)
    if (!flight) return start(key, read)
    flight.next ??= flight.current.then(
      () => start(key, read),
      () => start(key, read),
    )
    return flight.next
  }
}
