/** The additional stylesheet of pages with a navigation: those of staff, and the account's settings. */
export const WIDE_STYLE = `
main { max-width: 72rem; }
body { place-items: start center; align-content: start; }
.brand { margin-bottom: 1rem; }
.sections { display: flex; flex-wrap: wrap; gap: .3rem; margin: 0 0 1.5rem; }
.sections a { padding: .4rem .7rem; border-radius: .6rem; font-size: .925rem; font-weight: 600; color: var(--ink); text-decoration: none; }
.sections a:hover { background: var(--tint); }
.sections [aria-current] { color: var(--on-accent); background: var(--accent); }
.sections [aria-current]:hover { color: var(--on-accent); background: var(--accent-strong); }
@media (max-width: 40rem) { .sections { gap: .1rem; margin-inline: -.5rem; } .sections a { padding: .35rem .5rem; font-size: .9rem; } }
.skip { position: absolute; left: 1rem; top: 1rem; z-index: 2; padding: .4rem .7rem; border-radius: .6rem; background: var(--paper); }
.skip:not(:focus) { clip-path: inset(50%); width: 1px; height: 1px; padding: 0; overflow: hidden; white-space: nowrap; }
.page { min-width: 0; }
.page:focus { outline: none; }
::file-selector-button { margin-right: .75rem; padding: .3rem .7rem; font: inherit; font-weight: 600; color: var(--ink); background: var(--tint); border: 1px solid var(--line); border-radius: .5rem; cursor: pointer; }
.page > form, .page > details > form { max-width: 34rem; }
.page > .rows, .page > .small, .page > p { max-width: 48rem; }
`
