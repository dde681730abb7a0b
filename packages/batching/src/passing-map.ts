/**
 * Deletions after which the map is copied. While more entries than this remain, the copy waits for as many deletions as there are entries.
 */
const MANY = 64

/**
 * A map whose entries come and go, such as work under way. V8 links each table of a `Map` to the table that replaces it after deletions, and an old
 * table keeps alive everything its successors held until the next full garbage collection: half a megabyte of ended requests in 40 ms, which the
 * collector copies. So after some deletions this map moves to a new `Map`.
 */
export class PassingMap<Key, Value> {
  #entries = new Map<Key, Value>()
  #gone = 0

  get size(): number {
    return this.#entries.size
  }

  /** Iterates over the map as it was when the iteration began: entries deleted meanwhile may still be returned. */
  [Symbol.iterator](): Iterator<[Key, Value]> {
    return this.#entries[Symbol.iterator]()
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, value)
  }

  delete(key: Key): void {
    if (!this.#entries.delete(key)) return
    this.#gone++
    if (this.#entries.size > 0 && this.#gone < Math.max(MANY, this.#entries.size)) return
    this.#entries = new Map(this.#entries)
    this.#gone = 0
  }
}
