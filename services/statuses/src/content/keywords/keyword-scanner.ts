import { BOUNDARY, type FoldedText, foldText } from './folded-text.ts'

/** A keyword to search for. A whole-word match must not be inside a longer word, at either end at which the keyword itself has a word character. */
export type Keyword = { readonly keyword: string; readonly wholeWord: boolean }

/** The first match of a keyword: the keyword's index, and UTF-16 offsets into the text. */
type Occurrence = { readonly index: number; readonly start: number; readonly end: number }

/** Finds keywords in texts. */
type KeywordScanner = {
  /** The number of nodes of the trie: the scanner's memory grows with it. */
  readonly size: number
  /** The first occurrence of each keyword that occurs. */
  scan(text: FoldedText): Occurrence[]
}

const ROOT = 0
const NONE = -1

/** An Aho–Corasick automaton of keywords; nodes are numbered by depth. */
type Tree = {
  readonly size: number
  /** The node after one more code: the longest prefix of a keyword that is a suffix of the text read so far. */
  step(node: number, code: number): number
  /** The keywords that end at a node. */
  endingAt(node: number): readonly number[]
  /** The node of the longest keyword that is a suffix of the text at a node. */
  longest(node: number): number
  /** The node of the next shorter such keyword. */
  shorter(node: number): number
}

/** Builds the trie level by level, so that a node's fallback exists before it (Aho and Corasick, 1975). */
const treeOf = (patterns: readonly Uint32Array[]): Tree => {
  const symbols = new Map<number, number>()
  for (const pattern of patterns) for (const code of pattern) if (!symbols.has(code)) symbols.set(code, symbols.size)
  const children = new Map<number, number>()
  const fallbacks = [ROOT]
  const shorter = [NONE]
  const ends = new Map<number, number[]>()

  const childOf = (node: number, symbol: number) => children.get(node * symbols.size + symbol)
  const stepBy = (from: number, symbol: number): number => {
    for (let node = from; ; node = fallbacks[node]!) {
      const child = childOf(node, symbol)
      if (child !== undefined) return child
      if (node === ROOT) return ROOT
    }
  }
  const grow = (parent: number, symbol: number): number => {
    const fallback = parent === ROOT ? ROOT : stepBy(fallbacks[parent]!, symbol)
    const node = fallbacks.length
    children.set(parent * symbols.size + symbol, node)
    fallbacks.push(fallback)
    shorter.push(ends.has(fallback) ? fallback : shorter[fallback]!)
    return node
  }

  const endAt = (node: number, index: number) => {
    const others = ends.get(node)
    if (others) others.push(index)
    else ends.set(node, [index])
  }

  let growing = patterns.map((pattern, index) => ({ pattern, index, node: ROOT }))
  for (let length = 0; growing.length > 0; length++) {
    growing = growing.filter(({ pattern }) => pattern.length > length)
    const nodes = growing.map(({ pattern, node }) => {
      const symbol = symbols.get(pattern[length]!)!
      return childOf(node, symbol) ?? grow(node, symbol)
    })
    for (const [place, branch] of growing.entries()) {
      branch.node = nodes[place]!
      if (branch.pattern.length === length + 1) endAt(branch.node, branch.index)
    }
  }
  return {
    size: fallbacks.length,
    step: (node, code) => {
      const symbol = symbols.get(code)
      return symbol === undefined ? ROOT : stepBy(node, symbol)
    },
    endingAt: (node) => ends.get(node) ?? [],
    longest: (node) => (ends.has(node) ? node : shorter[node]!),
    shorter: (node) => shorter[node]!,
  }
}

/** The offset at which the last `length` codes up to `last` begin, boundaries not counted. */
const beginningOf = (codes: Uint32Array, last: number, length: number): number => {
  let first = last
  for (let left = length - 1; left > 0; ) if (codes[--first] !== BOUNDARY) left--
  return first
}

/** A scanner for keywords of one kind: whole words, with boundaries, or substrings, across them. */
const scannerOf = (patterns: readonly Uint32Array[], { areWhole }: { areWhole: boolean }): KeywordScanner => {
  const tree = treeOf(patterns)
  const occurrence = ({ codes, starts, ends }: FoldedText, index: number, last: number): Occurrence => {
    const { length } = patterns[index]!
    const first = areWhole ? last - length + 1 : beginningOf(codes, last, length)
    return { index, start: starts[first]!, end: ends[last]! }
  }
  // Not a closure in the loop of `scan`: that would allocate an object for each character.
  const addEnding = (occurrences: Occurrence[], text: FoldedText, { node, last }: { node: number; last: number }) => {
    for (const index of tree.endingAt(node)) occurrences.push(occurrence(text, index, last))
  }
  return {
    size: tree.size,
    scan(text) {
      const occurrences: Occurrence[] = []
      const notified = new Set<number>([NONE])
      let node = ROOT
      for (let place = 0; place < text.codes.length; place++) {
        const code = text.codes[place]!
        if (code === BOUNDARY && !areWhole) continue
        node = tree.step(node, code)
        // Once a keyword was reported, all shorter ones were too: each is visited once.
        for (let end = tree.longest(node); !notified.has(end); end = tree.shorter(end)) {
          notified.add(end)
          addEnding(occurrences, text, { node: end, last: place })
        }
      }
      return occurrences
    },
  }
}

const boundless = (codes: Uint32Array) => codes.filter((code) => code !== BOUNDARY)

/**
 * A scanner for all keywords of an account at once, without regard to case. It takes time linear in the text and the matches: each character is
 * visited a bounded number of times, and each keyword is reported once.
 */
export const keywordScanner = (keywords: readonly Keyword[]): KeywordScanner => {
  const kinds = [true, false].flatMap((areWhole) => {
    const indexes = [...keywords.keys()].filter((index) => keywords[index]!.wholeWord === areWhole)
    if (indexes.length === 0) return []
    const folded = indexes.map((index) => foldText(keywords[index]!.keyword).codes)
    return [{ indexes, scanner: scannerOf(areWhole ? folded : folded.map(boundless), { areWhole }) }]
  })
  return {
    size: kinds.reduce((size, { scanner }) => size + scanner.size, 0),
    scan: (text) =>
      kinds.flatMap(({ indexes, scanner }) => scanner.scan(text).map((found) => ({ ...found, index: indexes[found.index]! }))),
  }
}
