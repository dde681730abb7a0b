import { type Html, html } from '@rookery/pages'

const WIDTH = 240
const HEIGHT = 64

/** A bar chart, the earliest value first, with a title per bar; drawn without a script. */
export const chartPart = (label: string, bars: readonly { value: number; title: string }[]): Html => {
  const highest = Math.max(1, ...bars.map(({ value }) => value))
  const step = WIDTH / Math.max(1, bars.length)
  const drawn = bars.map(({ value, title }, index) => {
    const height = value > 0 ? Math.max(2, Math.round((value / highest) * HEIGHT)) : 1
    const x = (index * step + step * 0.1).toFixed(1)
    return html`<rect x="${x}" y="${HEIGHT - height}" width="${(step * 0.8).toFixed(1)}" height="${height}" rx="2"><title>${title}</title></rect>`
  })
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}" preserveAspectRatio="none">${drawn}</svg>`
}
