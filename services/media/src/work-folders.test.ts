import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { workFolders } from './work-folders.ts'

const DAY = 24 * 3_600_000

it('clears away what ended processes left, and leaves alone what running ones and other machines work in', async () => {
  const root = await mkdtemp(join(tmpdir(), 'rookery-work-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const ended = spawnSync('true').pid
  const running = process.ppid
  const made = async (name: string, age = 0) => {
    await mkdir(join(root, name))
    const then = new Date(Date.now() - age)
    await utimes(join(root, name), then, then)
    return name
  }
  await made(`motion-${hostname()}-${ended}-aaaaaa`)
  // In a container a restarted process has the pid of the previous one.
  await made(`upload-${hostname()}-${process.pid}-bbbbbb`)
  await made('upload-gone-1-cccccc', DAY + 1000)
  await made('upload-Xy12', DAY + 1000)
  const kept = [
    await made(`motion-${hostname()}-${running}-dddddd`),
    await made('motion-other-pod-7f-1-eeeeee', DAY - 60_000),
    await made('upload-Zz34'),
  ]
  const folders = workFolders({ root })
  const own = [await folders.make('motion'), await folders.make('upload')].map((path) => path.slice(root.length + 1))
  expect((await readdir(root)).sort()).toEqual([...kept, ...own].sort())
  await made(`motion-${hostname()}-${ended}-ffffff`)
  await folders.clear()
  expect((await readdir(root)).sort()).toEqual([...kept, ...own].sort())
})
