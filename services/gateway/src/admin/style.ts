/** The additional stylesheet of staff pages. */
export const ADMIN_STYLE = `
.tabs { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 1.25rem 0 0; border-bottom: 1px solid var(--line); }
.tabs a { padding: .5rem 0; color: var(--faint); font-weight: 600; text-decoration: none; border-bottom: 3px solid transparent; }
.tabs [aria-current] { color: var(--ink); border-color: var(--accent); }
.page > form.inline { margin-top: 1rem; }
form.inline, .acts form { margin: 0; }
form + form { margin-top: 0; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
:is(h2, .facts, .notice) + .buttons { margin-top: .75rem; }
.buttons button { width: auto; margin: 0; }
.records { margin: 1.25rem 0 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.records > li { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: flex-start; padding: .9rem 0; border-bottom: 1px solid var(--line); }
.records .what { flex: 1 1 0; min-width: min(18rem, 55%); }
.records .what > strong, .records .what > span { display: block; overflow-wrap: anywhere; }
.records .what > span { font-size: .9rem; color: var(--faint); }
.records .picture { flex: none; width: 2.75rem; height: 2.75rem; border-radius: .7rem; object-fit: cover; background: var(--ground); }
.records .acts button.danger { color: var(--wrong); background: transparent; border-color: currentColor; }
.records .acts button.danger:hover { background: var(--wrong-tint); filter: none; }
.records:last-child > li:last-child { border-bottom: 0; }
.tabs + .records { margin-top: 0; border-top: 0; }
@media (max-width: 40rem) { .records .records { margin-left: -3.75rem; } }
.records .acts { display: flex; flex-wrap: wrap; gap: .5rem; align-items: flex-start; }
.many { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; margin: 1.25rem 0 0; }
.many:has(.field) { display: block; }
.many:has(.field) form { margin-top: 1rem; max-width: 34rem; }
.choose { flex: none; width: 1.25rem; height: 1.25rem; margin: .75rem 0 0; accent-color: var(--accent); }
.mark { display: inline-block; margin-right: .2rem; padding: .05rem .5rem; border-radius: .5rem; font-style: normal; font-size: .8rem; font-weight: 600; color: var(--ink); background: var(--tint); }
.filter { display: flex; flex-wrap: wrap; gap: .75rem; align-items: flex-end; margin: 1.25rem 0 0; max-width: none !important; }
.filter .field { flex: 1 1 10rem; margin: 0; }
.filter .check { flex: 0 1 auto; padding: .75rem 0; }
.facts { margin: 1.25rem 0 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .9rem; }
.facts dt { font-size: .85rem; color: var(--faint); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.metrics { margin: 1.25rem 0 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 45%), 1fr)); gap: .75rem; padding: 0; list-style: none; }
.metrics li { padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .9rem; }
.metrics strong { display: block; font-size: 1.5rem; line-height: 1.2; overflow-wrap: anywhere; }
.metrics span { font-size: .9rem; color: var(--faint); }
.metrics a { color: inherit; }
.charts { margin: 1.25rem 0 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1rem; }
.charts section { padding: .9rem 1rem; border: 1px solid var(--line); border-radius: .9rem; }
.charts h2 { margin: 0 0 .6rem; font-size: .95rem; }
.chart { display: block; width: 100%; height: 4rem; fill: var(--accent); }
.charts .small { margin: .5rem 0 0; }
.said { margin: .5rem 0 0; overflow-wrap: anywhere; }
.said p { margin: 0 0 .6rem; }
.said .invisible { display: none; }
.said .ellipsis::after { content: "…"; }
.said.quoted { padding: .1rem 0 .1rem .9rem; border-left: 3px solid var(--line); white-space: pre-line; }
.files { display: flex; flex-wrap: wrap; gap: .5rem; margin: .6rem 0 0; }
.look.icon { width: 6rem !important; }
.look.thumbnail { width: 100% !important; max-width: 24rem; height: auto !important; }
.files img { display: block; width: 8rem; height: 6rem; object-fit: cover; border-radius: .6rem; background: var(--ground); }
.hint { overflow-wrap: anywhere; }
details { margin: 1rem 0 0; }
summary { cursor: pointer; font-weight: 600; overflow-wrap: anywhere; }
.pager { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .75rem; margin: 1.5rem 0 0; }
.pager a { font-weight: 600; }
.pager [rel=next] { margin-left: auto; }
.emoji { height: 1.3em; width: auto; vertical-align: -.25em; }
.emoji.large { width: 2rem; height: 2rem; object-fit: contain; vertical-align: middle; }
input[type=color] { height: 2.9rem; padding: .3rem; }
progress { width: 100%; accent-color: var(--accent); }
pre { margin: .5rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font-size: .9em; overflow-wrap: anywhere; }
`
