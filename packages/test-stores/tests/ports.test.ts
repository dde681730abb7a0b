import { expect, test } from 'vitest'
import { freePorts } from '../src/index.ts'

test('ports are reserved for one caller before anything listens on them', async () => {
  const runs = await Promise.all(Array.from({ length: 40 }, () => freePorts(50)))
  const ports = runs.flatMap((first) => Array.from({ length: 50 }, (_, index) => first + index))
  expect(new Set(ports).size).toBe(ports.length)
})
