import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deadLinks } from './check-links.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'links-'))
  writeFileSync(join(root, 'birds.md'), '# All about birds\n')
})
afterAll(() => rmSync(root, { recursive: true }))

test.each([
  ['a file', '[birds](birds.md)', []],
  ['a heading', '[birds](birds.md#all-about-birds)', []],
  ['another site', '[birds](https://birds.example/x.md)', []],
  ['what a code block shows', '```\n[cats](cats.md)\n```', []],
  ['no file', '[cats](cats.md)', ['README.md: cats.md']],
  ['no heading', '[birds](birds.md#cats)', ['README.md: birds.md#cats']],
  ['no heading of its own', '[here](#cats)', ['README.md: #cats']],
])('a link to %s', (_name, text, dead) => {
  writeFileSync(join(root, 'README.md'), `${text}\n`)
  expect(deadLinks(root)).toEqual(dead)
})
