import { checkedText, MAX_VALUES, malformed, refuseDepth, tooMany, type Values } from './values.ts'

/** A parameter's name with its brackets, and its text. */
export type Pair = readonly [name: string, value: string]

type Hash = Map<string, Tree>
type Tree = string | Hash | Tree[]

/**
 * What a name that is given twice means: its last value, as the API has it, or a list of all, for an edge that refuses repeated
 * parameters (RFC 6749, 3.1).
 */
export type Repeated = 'last' | 'list'

/** `k[a][]` is k, a and a nameless one. A name whose brackets do not close is one word. */
const stepsOf = (name: string): string[] => {
  const open = name.indexOf('[')
  return open > 0 && name.endsWith(']') ? [name.slice(0, open), ...name.slice(open + 1, -1).split('][')] : [name]
}

/** Whether a hash has a value where the steps lead; a list there has room for more. */
const holds = (hash: Hash, steps: readonly string[], at: number): boolean => {
  const inner = hash.get(steps[at]!)
  if (inner === undefined || steps[at + 1] === '') return false
  return !(inner instanceof Map) || at === steps.length - 1 || holds(inner, steps, at + 1)
}

/** A value beside those that the same name has already. */
const beside = (tree: Tree | undefined, value: string): Tree =>
  tree === undefined ? value : [...(Array.isArray(tree) ? tree : [tree]), value]

/** The tree with one more value in it. In a list of hashes, a key that the last hash has already starts the next one. */
const grown = (tree: Tree | undefined, steps: readonly string[], at: number, value: string): Tree => {
  const step = steps[at]
  if (step === undefined) return value
  if (step === '') {
    const list = Array.isArray(tree) ? tree : []
    const last = list.at(-1)
    if (last instanceof Map && at + 1 < steps.length && !holds(last, steps, at + 1)) grown(last, steps, at + 1, value)
    else list.push(grown(undefined, steps, at + 1, value))
    return list
  }
  const hash = tree instanceof Map ? tree : new Map<string, Tree>()
  hash.set(step, grown(hash.get(step), steps, at + 1, value))
  return hash
}

/** Hashes become objects, or lists when all their keys are numbers: those say nothing, the order given counts. */
const plain = (tree: Tree): unknown => {
  if (typeof tree === 'string') return tree
  if (Array.isArray(tree)) return tree.map(plain)
  if ([...tree.keys()].every((key) => /^\d+$/.test(key))) return [...tree.values()].map(plain)
  const object: Values = Object.create(null)
  for (const [name, inner] of tree) object[name] = plain(inner)
  return object
}

/**
 * Pairs as values: lists as k[] or k[0], hashes as k[x], lists of hashes as k[][x] or k[0][x] (beyond-the-spec 0.1).
 * @throws Failure malformed for more pairs, or deeper ones, than any client sends
 */
export const formOf = (pairs: readonly Pair[], repeated: Repeated = 'last'): Values => {
  if (pairs.length > MAX_VALUES) throw tooMany()
  const root: Hash = new Map()
  for (const [name, value] of pairs) {
    const steps = stepsOf(checkedText(name))
    refuseDepth(steps.length)
    if (steps.length === 1 && repeated === 'list') root.set(name, beside(root.get(name), checkedText(value)))
    else grown(root, steps, 0, checkedText(value))
  }
  const values: Values = Object.create(null)
  for (const [name, tree] of root) values[name] = plain(tree)
  return values
}

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw malformed('Parameters must be percent-encoded UTF-8')
  }
}

const pairOf = (piece: string): Pair => {
  const mark = piece.indexOf('=')
  return mark < 0 ? [decoded(piece), ''] : [decoded(piece.slice(0, mark)), decoded(piece.slice(mark + 1))]
}

/** Splits a query string or form into values. @throws Failure malformed */
export const parseForm = (text: string, repeated: Repeated = 'last'): Values =>
  text === ''
    ? {}
    : formOf(
        text
          .split('&', MAX_VALUES + 1)
          .filter((piece) => piece !== '')
          .map(pairOf),
        repeated,
      )
