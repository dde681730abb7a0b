type Focus = { readonly x: number; readonly y: number }

/** Steps per axis: the CSP forbids inline styles, so there is a class for each. */
const STEPS = 10
const steps = Array.from({ length: STEPS + 1 }, (_, step) => step)
const percent = (step: number) => `${(100 * step) / STEPS}%`

/** The step of a position on an axis, -1 to 1. */
const stepOf = (place: number) => Math.round(((Math.min(1, Math.max(-1, place)) + 1) / 2) * STEPS)

/** The classes that keep an image's focus in view when it is cropped (spec, focus); none in the middle. */
export const focusClasses = (focus: Focus | undefined): string => {
  if (!focus) return ''
  const [x, y] = [stepOf(focus.x), stepOf(-focus.y)]
  return x * 2 === STEPS && y * 2 === STEPS ? '' : `x${x} y${y}`
}

/** The styles of the classes. */
export const FOCUS_STYLE = steps.map((step) => `.x${step} { --x: ${percent(step)}; } .y${step} { --y: ${percent(step)}; }`).join('\n')
