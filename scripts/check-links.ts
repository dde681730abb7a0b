import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const LINK = /\]\(([^)\s]+)\)/g
const HEADING = /^#+ +(.+)$/gm
const FENCE = /^```.*?^```/gms

/** The anchor of a heading, as GitHub generates it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (file: string): Set<string> =>
  new Set([...readFileSync(file, 'utf8').matchAll(HEADING)].map(([, text]) => anchorOf(text!)))

/** Relative links in the Markdown files below a folder whose target does not exist, as `file: link`. */
export const deadLinks = (root: string): string[] =>
  globSync('**/*.md', { cwd: root, exclude: (path) => /(^|\/)(node_modules|\.[^/]+)$/.test(path) }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replace(FENCE, '')
    const links = [...text.matchAll(LINK)].map(([, link]) => link!).filter((link) => !/^[a-z]+:/.test(link))
    return links
      .filter((link) => {
        const [path, anchor] = link.split('#', 2) as [string, string?]
        const target = path === '' ? join(root, file) : join(root, dirname(file), path)
        return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).has(anchor))
      })
      .map((link) => `${file}: ${link}`)
  })
