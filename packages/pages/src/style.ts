/** The common stylesheet, inline in every page. Colours are defined once for light and once for dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #eef1f6; --paper: #ffffff; --ink: #1a2130; --faint: #566074; --line: #cfd6e2; --edge: #8590a6; --field: #ffffff;
  --accent: #3a4fc4; --accent-strong: #2c3ea6; --on-accent: #ffffff; --tint: #e8ebfb; --wrong: #b3261e; --wrong-tint: #fdeceb; --shadow: 22 32 66;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10131a; --paper: #191e29; --ink: #eaedf5; --faint: #a6afc2; --line: #3a4356; --edge: #76819a; --field: #10141d;
    --accent: #9dabff; --accent-strong: #b9c3ff; --on-accent: #131a3f; --tint: #232b47; --wrong: #ffb4ab; --wrong-tint: #3b1f1e; --shadow: 0 0 0;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; padding: 1.5rem 1rem; background: var(--ground); color: var(--ink); }
main { width: 100%; max-width: 26rem; background: var(--paper); border-radius: 1.25rem; padding: 2rem; box-shadow: 0 1px 2px rgb(var(--shadow) / .08), 0 12px 40px rgb(var(--shadow) / .12); }
.brand { display: flex; align-items: center; gap: .6rem; margin: 0 0 1.75rem; font-weight: 600; color: var(--faint); overflow-wrap: anywhere; }
.brand a { display: flex; align-items: center; gap: .6rem; color: inherit; text-decoration: none; }
.brand svg { flex: none; width: 2rem; height: 2rem; color: var(--accent); }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.2; letter-spacing: -.015em; overflow-wrap: anywhere; }
.lead { margin: .5rem 0 0; color: var(--faint); overflow-wrap: anywhere; }
form { margin: 1.5rem 0 0; }
.field { margin: 0 0 1.1rem; }
label { display: block; margin: 0 0 .35rem; font-weight: 600; font-size: .95rem; }
input:not([type=checkbox]), textarea, select { display: block; width: 100%; padding: .7rem .85rem; font: inherit; color: inherit; background: var(--field); border: 1px solid var(--edge); border-radius: .7rem; }
select { min-height: 3.025rem; }
textarea { min-height: 6rem; resize: vertical; }
.hint { margin: .3rem 0 0; font-size: .875rem; color: var(--faint); }
.error { margin: .3rem 0 0; font-size: .875rem; font-weight: 600; color: var(--wrong); }
[aria-invalid=true] { border-color: var(--wrong) !important; box-shadow: inset 0 0 0 1px var(--wrong); }
.check { display: grid; grid-template-columns: auto 1fr; gap: .65rem; align-items: start; }
.check label { margin: 0; font-weight: 400; }
.check input { width: 1.2rem; height: 1.2rem; margin: .15rem 0 0; accent-color: var(--accent); }
.check .error { grid-column: 2; margin: 0; }
.suffixed { display: flex; align-items: stretch; border: 1px solid var(--edge); border-radius: .7rem; background: var(--field); overflow: hidden; }
.suffixed input:not([type=checkbox]) { flex: 1 1 7rem; width: 0; min-width: 0; border: 0 !important; border-radius: 0; box-shadow: none !important; }
.suffixed span { flex: 0 1 auto; max-width: 60%; padding: .7rem .85rem; color: var(--faint); background: var(--ground); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.suffixed:has([aria-invalid=true]) { border-color: var(--wrong); box-shadow: inset 0 0 0 1px var(--wrong); }
.suffixed:focus-within { outline: 3px solid var(--accent); outline-offset: 1px; }
button { display: block; width: 100%; min-height: 2.9rem; margin: 0; padding: .7rem 1rem; font: inherit; font-weight: 600; border: 1px solid transparent; border-radius: .7rem; color: var(--on-accent); background: var(--accent); cursor: pointer; }
button:hover { background: var(--accent-strong); }
button.danger { color: var(--paper); background: var(--wrong); }
button.danger:hover { background: var(--wrong); filter: brightness(.9); }
button.quiet { margin-top: .65rem; color: var(--ink); background: transparent; border-color: var(--line); }
button.quiet:hover { background: var(--tint); }
button.compact { width: auto; min-height: 2.4rem; margin: 0; padding: .35rem .9rem; font-size: .925rem; }
h2 { margin: 2rem 0 0; font-size: 1.05rem; }
.rows { margin: 1rem 0 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.rows li { display: flex; gap: .75rem; align-items: center; justify-content: space-between; padding: .7rem 0; border-bottom: 1px solid var(--line); }
.rows div { min-width: 0; }
.rows li > span { flex: none; }
.rows strong, .rows span { display: block; overflow-wrap: anywhere; }
.rows strong { font-weight: 600; }
.rows span { font-size: .875rem; color: var(--faint); }
.rows form { flex: none; margin: 0; }
.rows a { flex: none; }
form + form { margin-top: .65rem; }
a { color: var(--accent); text-underline-offset: .15em; }
a:hover { color: var(--accent-strong); }
:is(a, button, input, textarea, select, summary):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.suffixed input:focus-visible { outline: none; }
.notice { margin: 1.25rem 0 0; padding: .8rem 1rem; border-radius: .7rem; background: var(--tint); }
.notice.wrong { color: var(--wrong); background: var(--wrong-tint); font-weight: 600; }
.who { display: flex; flex-wrap: wrap; gap: .15rem .75rem; justify-content: space-between; margin: 1.25rem 0 0; padding: .7rem 1rem; border-radius: .7rem; background: var(--tint); }
.who strong { font-weight: 600; overflow-wrap: anywhere; }
.scopes { margin: .4rem 0 0; padding: 0; list-style: none; }
.scopes li { padding: .55rem 0 .55rem 1.6rem; position: relative; border-bottom: 1px solid var(--line); }
.scopes li:last-child { border-bottom: 0; }
.scopes li::before { content: ""; position: absolute; left: .2rem; top: 1rem; width: .75rem; height: .4rem; border: solid var(--accent); border-width: 0 0 .15rem .15rem; transform: rotate(-45deg); }
.small { margin: 1rem 0 0; font-size: .875rem; color: var(--faint); overflow-wrap: anywhere; }
.small + button { margin-top: 1rem; }
.foot { margin: 1.5rem 0 0; padding: 1.1rem 0 0; border-top: 1px solid var(--line); color: var(--faint); }
.code { margin: 1.25rem 0 0; }
.code input { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .95rem; text-align: center; user-select: all; -webkit-user-select: all; background: var(--tint); border-color: transparent; }
.qr { display: block; width: 13rem; max-width: 100%; margin: 1.25rem auto 0; border-radius: .7rem; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.codes { margin: 1.25rem 0 0; padding: 0; list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .5rem; }
.codes li { padding: .5rem .6rem; text-align: center; border-radius: .6rem; background: var(--tint); user-select: all; -webkit-user-select: all; }
.technical { margin: 1.5rem 0 0; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8rem; color: var(--faint); overflow-wrap: anywhere; }
@media (max-width: 30rem) { body { padding: 0; place-items: stretch; background: var(--paper); } main { max-width: none; border-radius: 0; box-shadow: none; padding: 1.75rem 1.25rem 2.5rem; } }
@media (forced-colors: active) { .scopes li::before { border-color: CanvasText; } main { border: 1px solid CanvasText; } }
`
