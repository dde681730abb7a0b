import { FOCUS_STYLE } from './focus.rules.ts'

/** The additional stylesheet of public pages. */
export const PUBLIC_STYLE = `
main { max-width: 38rem; }
body { place-items: start center; align-content: start; }
a.button { display: inline-block; padding: .7rem 1.2rem; border-radius: .7rem; font-weight: 600; text-decoration: none; color: var(--on-accent); background: var(--accent); }
a.button:hover { color: var(--on-accent); background: var(--accent-strong); }
dl { margin: 1.5rem 0; display: grid; gap: .9rem; }
dt { font-size: .875rem; color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
.header { display: block; width: 100%; aspect-ratio: 3; object-fit: cover; border-radius: .9rem; background: var(--ground); }
.person { display: flex; gap: .9rem; align-items: center; margin: 1.25rem 0 0; color: inherit; text-decoration: none; }
.person > img { flex: none; width: 3rem; height: 3rem; border-radius: .8rem; object-fit: cover; background: var(--ground); }
.person.large > img { width: 5rem; height: 5rem; border-radius: 1.1rem; }
.person h1, .person strong, .person span { display: block; overflow-wrap: anywhere; unicode-bidi: plaintext; text-align: left; }
.person span { color: var(--faint); font-size: .925rem; }
.said { margin: 1rem 0 0; overflow-wrap: anywhere; }
.fields .said { margin: 0; }
article > .person:first-child { margin-top: 0; }
.said p { margin: 0 0 .8rem; }
.said p:last-child { margin-bottom: 0; }
:is(.said, .said :is(p, li, h2, h3, h4, h5, h6, th, td), .poll li, summary, .card :is(strong, span), .fields :is(dt, dd), .people .small) { unicode-bidi: plaintext; text-align: start; }
.said .invisible { display: none; }
.said .ellipsis::after { content: "…"; }
.emoji { height: 1.3em; width: auto; vertical-align: -.25em; }
.fields { border: 1px solid var(--line); border-radius: .9rem; gap: 0; overflow: hidden; }
.fields div { display: grid; grid-template-columns: 8rem 1fr; gap: .9rem; padding: .6rem .9rem; }
.fields div + div { border-top: 1px solid var(--line); }
.fields dt { font-weight: 600; overflow-wrap: anywhere; }
.fields .verified dd::before { content: "✓ "; color: var(--accent); font-weight: 700; }
.counts { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; margin: 1.25rem 0 0; padding: 0; list-style: none; color: var(--faint); }
.counts strong { color: var(--ink); }
.counts a { color: inherit; }
.tabs { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 1.5rem 0 0; border-bottom: 1px solid var(--line); }
.tabs a { padding: .6rem 0; color: var(--faint); font-weight: 600; text-decoration: none; border-bottom: 3px solid transparent; }
.tabs a:hover { color: var(--ink); }
.tabs [aria-current] { color: var(--ink); border-color: var(--accent); }
.tabs + article { border-top: 0; }
.pager { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .75rem; margin: 1.5rem 0 0; padding: 1.25rem 0 0; border-top: 1px solid var(--line); }
.pager a { font-weight: 600; }
.pager [rel=next] { margin-left: auto; }
.site { display: flex; flex-wrap: wrap; justify-content: center; gap: .5rem 1.5rem; padding: 1.25rem 1rem; font-size: .925rem; }
.site a { color: var(--faint); }
.site [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
.said :is(h2, h3, h4, h5, h6) { margin: 1.75rem 0 .5rem; }
.said :is(h3, h4, h5, h6) { font-size: 1rem; }
.said :is(ul, ol) { margin: 0 0 .8rem; padding-left: 1.5rem; }
.said :is(blockquote, pre, table) { margin: 0 0 .8rem; }
.said blockquote { padding-left: 1rem; border-left: 3px solid var(--line); }
.said :is(pre, table) { display: block; max-width: 100%; overflow-x: auto; }
.said :is(th, td) { padding: .3rem .8rem .3rem 0; overflow-wrap: break-word; text-align: start; vertical-align: top; }
.said hr { margin: 1.5rem 0; border: 0; border-top: 1px solid var(--line); }
.said li + li { margin-top: .4rem; }
.rules { margin: 1rem 0 0; padding-left: 1.5rem; display: grid; gap: .8rem; }
.rules li { overflow-wrap: anywhere; }
.rules .small { margin: .2rem 0 0; }
h2 + .person { margin-top: 1rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.unseen + article { margin-top: 0; padding-top: 0; border-top: 0; }
article + article.alone { margin-top: 1.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.replies article { margin: 1rem 0 0; }
.replies .depth-2 { margin-left: .75rem; }
.replies .depth-3 { margin-left: 1.5rem; }
.replies .depth-4 { margin-left: 2.25rem; }
.replies :is(.depth-2, .depth-3, .depth-4) { padding-left: .75rem; border-left: 2px solid var(--line); }
.replies :is(.depth-2, .depth-3, .depth-4) article { border-top: 0; padding-top: 0; }
.copied { margin: 1.5rem 0 0; }
.people { margin: 1.25rem 0 0; padding: 0; list-style: none; }
.people li { padding: 1rem 0; border-top: 1px solid var(--line); }
.people .person { margin: 0; }
.people .small { margin: .5rem 0 0; }
article { margin: 1.5rem 0 0; padding: 1.25rem 0 0; border-top: 1px solid var(--line); }
article.alone { border-top: 0; padding: 0; }
article.alone .said { font-size: 1.15rem; }
.boosted { margin: 0; font-size: .875rem; font-weight: 600; color: var(--faint); }
.boosted a { color: inherit; text-decoration: none; }
[autofocus]:focus-visible { outline: 0; }
article .when { margin: .8rem 0 0; font-size: .875rem; color: var(--faint); }
details { margin: 1rem 0 0; }
summary { cursor: pointer; font-weight: 600; overflow-wrap: anywhere; }
.files { display: grid; gap: .5rem; margin: 1rem 0 0; }
.files :is(img, video) { display: block; width: 100%; height: auto; max-height: 32rem; object-fit: contain; border-radius: .9rem; background: var(--ground); }
.files audio { width: 100%; }
.files.pictures { grid-template-columns: 1fr 1fr; grid-auto-rows: minmax(0, 1fr); aspect-ratio: 16 / 9; overflow: hidden; border-radius: .9rem; }
.files.pictures a { display: block; min-height: 0; outline-offset: -3px; }
.files.pictures img { height: 100%; max-height: none; object-fit: cover; object-position: var(--x, 50%) var(--y, 50%); border-radius: 0; }
${FOCUS_STYLE}
.files.pictures.odd a:first-child { grid-row: span 2; }
.poll { margin: 1rem 0 0; padding: 0; list-style: none; display: grid; gap: .5rem; }
.poll b { float: right; margin-left: .75rem; font-weight: 600; }
.poll meter { display: block; width: 100%; height: .5rem; }
.card { display: block; margin: 1rem 0 0; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .9rem; text-decoration: none; overflow-wrap: anywhere; }
.quoted > .person { margin-top: 0; }
.quoted { margin: 1rem 0 0; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .9rem; }
.card span { display: block; font-size: .875rem; color: var(--faint); }
@media (max-width: 30rem) { .fields div { grid-template-columns: 1fr; gap: .1rem; } body { place-items: stretch; } }
.banner { display: block; width: 100%; max-height: 20rem; margin: 1rem 0; object-fit: cover; border-radius: .9rem; background: var(--ground); }
`
