import type { View } from './chromium.ts'

/** The displays to test: a phone and a desktop, light and dark, in each language. */
export const VIEWS: Record<string, View> = {
  'a phone, light': { width: 390, height: 844 },
  'a phone, dark, in German': { width: 390, height: 844, isDark: true, language: 'de' },
  'a desktop, light, in French': { width: 1280, height: 900, language: 'fr' },
  'a desktop, dark': { width: 1280, height: 900, isDark: true },
}

/** Returns the serious and critical violations that axe-core finds. */
export const FINDINGS = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ').slice(0, 500)))`
