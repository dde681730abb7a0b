import { expect, test } from 'vitest'
import { FOCUS_STYLE, focusClasses } from './focus.rules.ts'

test.each([
  ['nothing', undefined, ''],
  ['the middle', { x: 0, y: 0 }, ''],
  ['what is almost the middle', { x: 0.04, y: -0.04 }, ''],
  ['the upper right corner', { x: 1, y: 1 }, 'x10 y0'],
  ['the lower left corner', { x: -1, y: -1 }, 'x0 y10'],
  ['a place beside the middle', { x: 0, y: 0.42 }, 'x5 y3'],
  ['a place outside', { x: 7, y: -7 }, 'x10 y10'],
])('a picture whose focus is %s has the classes of it', (_what, focus, classes) => {
  expect(focusClasses(focus)).toBe(classes)
  for (const name of classes.split(' ').filter(Boolean)) expect(FOCUS_STYLE).toContain(`.${name} {`)
})
