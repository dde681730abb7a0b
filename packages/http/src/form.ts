import { checkedText, MAX_VALUES, malformed, refuseDepth, tooMany, type Values } from './values.ts'

/** A parameter's name, brackets included, and its text. */
export type Pair = readonly [name: string, value: string]

type Hash = Map<string, Tree>
type Tree = string | Hash | Tree[]

/**
 * The meaning of a repeated name: its last value, as in the API, or a list of all, for an edge that refuses repeated parameters (RFC 6749,
 * 3.1).
 */
export type Repeated = 'last' | 'list'

/** The segments of a name: `k[a][]` is k, a and an empty one. A name with unbalanced brackets is one segment. */
const stepsOf = (name: string): string[] => {
  const open = name.indexOf('[')
  return open > 0 && name.endsWith(']') ? [name.slice(0, open), ...name.slice(open + 1, -1).split('][')] : [name]
}

/** Whether a hash already has a value at a path; a list there always has room for more. */
const holds = (hash: Hash, steps: readonly string[], at: number): boolean => {
  const inner = hash.get(steps[at]!)
  if (inner === undefined || steps[at + 1] === '') return false
  return !(inner instanceof Map) || at === steps.length - 1 || holds(inner, steps, at + 1)
}

/** Adds a value to those that the same name already has. */
const beside = (tree: Tree | undefined, value: string): Tree =>
  tree === undefined ? value : [...(Array.isArray(tree) ? tree : [tree]), value]

/** Inserts a value at a path. In a list of hashes, a key that the last hash already has starts the next hash. */
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

/** Hashes become objects, or lists if all their keys are integers; such a list is in the order given, whatever the numbers are. */
const plain = (tree: Tree): unknown => {
  if (typeof tree === 'string') return tree
  if (Array.isArray(tree)) return tree.map(plain)
  if ([...tree.keys()].every((key) => /^-?\d+$/.test(key))) return [...tree.values()].map(plain)
  const object: Values = Object.create(null)
  for (const [name, inner] of tree) object[name] = plain(inner)
  return object
}

/**
 * Parses pairs into values: lists as k[] or k[0], hashes as k[x], lists of hashes as k[][x] or k[0][x] (beyond-the-spec 0.1).
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

/** Parses a query string or form. @throws Failure malformed */
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
