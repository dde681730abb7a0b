type Focus = { readonly x: number; readonly y: number }

/** Steps of an axis: pages may not style one element, so that there is a class for each. */
const STEPS = 10
const steps = Array.from({ length: STEPS + 1 }, (_, step) => step)
const percent = (step: number) => `${(100 * step) / STEPS}%`

/** The step of a place on an axis, -1 to 1. */
const stepOf = (place: number) => Math.round(((Math.min(1, Math.max(-1, place)) + 1) / 2) * STEPS)

/** Classes of a picture that keep what matters of it in view where it is cropped (spec, focus); none in the middle. */
export const focusClasses = (focus: Focus | undefined): string => {
  if (!focus) return ''
  const [x, y] = [stepOf(focus.x), stepOf(-focus.y)]
  return x * 2 === STEPS && y * 2 === STEPS ? '' : `x${x} y${y}`
}

/** What the classes mean. */
export const FOCUS_STYLE = steps.map((step) => `.x${step} { --x: ${percent(step)}; } .y${step} { --y: ${percent(step)}; }`).join('\n')
