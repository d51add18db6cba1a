/**
 * The component's style. A page changes it by custom properties (--laurel-text, -muted, -accent, -line, -surface, -own,
 * -font) and by parts; adopted as a sheet, it needs nothing of a page's content security policy.
 */
export const sheet = new CSSStyleSheet();
sheet.replaceSync(`
:host {
  --_text: var(--laurel-text, light-dark(#1c2420, #e8eee9));
  --_muted: var(--laurel-muted, light-dark(#5a665f, #9aa8a0));
  --_accent: var(--laurel-accent, light-dark(#22704a, #7fd0a4));
  --_line: var(--laurel-line, light-dark(#e2e8e3, #2a332e));
  --_surface: var(--laurel-surface, light-dark(#ffffff, #161c19));
  --_own: var(--laurel-own, light-dark(#e6f3ea, #1f3429));
  --_warn: light-dark(#9a4a12, #eda06a);
  display: block;
  container-type: inline-size;
  color-scheme: light dark;
  color: var(--_text);
  background: var(--_surface);
  font: var(--laurel-font, 1em/1.4 system-ui, sans-serif);
}
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; }
h2, p { margin: 0; font: inherit; }

[part="header"] { display: flex; gap: 1em; align-items: baseline; justify-content: space-between; padding: .6em .75em; }
[part="title"] { font-weight: 650; font-size: 1.15em; overflow-wrap: anywhere; }
[part="state"] { display: inline-flex; gap: .5em; align-items: center;  color: var(--_muted); font-size: .85em; white-space: nowrap; }
[part="dot"] { width: .6em; height: .6em; border-radius: 50%; background: var(--_muted); }
[data-state="live"] [part="dot"] { background: var(--_accent); }
[data-state="polling"] [part="dot"] { background: transparent; border: .15em solid var(--_accent); }
[data-state="offline"] [part="dot"] { background: transparent; border: .15em solid var(--_warn); }
[data-state="offline"] { color: var(--_warn); }

table { width: 100%; border-collapse: separate; border-spacing: 0; table-layout: fixed; font-variant-numeric: tabular-nums; }
th, td { padding: .55em .75em; text-align: start; font-weight: inherit; border-top: 1px solid var(--_line); background: inherit; }
thead th { padding: .35em .9375em; color: var(--_muted); font-size: .8em; border-top: 0; }
tr { background: var(--_surface); }
[part~="rank"] { width: 5.5em; white-space: nowrap; }
[part~="player"] { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
/* A long name is cut, the badge beside it never. */
[part="who"] { display: flex; align-items: baseline; }
[part="name"] { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
[part~="score"] { width: 36%; text-align: end; font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
thead [part~="rank"] { width: 6.875em; }
thead [part~="score"] { font-weight: inherit; }
[part="place"] { display: inline-block; min-width: 1.6em; }
[data-rank="1"] [part="place"], [data-rank="2"] [part="place"], [data-rank="3"] [part="place"] { font-weight: 700; }
[data-rank="1"] [part="place"] { color: light-dark(#8a6400, #f0cc62); }
[data-rank="2"] [part="place"] { color: light-dark(#5b6770, #c3ced6); }
[data-rank="3"] [part="place"] { color: light-dark(#96522a, #dd9b72); }
[part="move"] { font-size: .75em; color: var(--_muted); }
[part="move"][data-way="up"] { color: var(--_accent); }
[part="you"]:not(:empty) {
  flex: none; margin-inline-start: .3em; padding: .05em .5em; border-radius: 1em; font-size: .75em; color: var(--_surface); background: var(--_accent);
}
/* In sight wherever the page is scrolled to. */
[part~="own"] { position: sticky; inset-block: 0; z-index: 1; background: var(--_own); }
[part~="own"] [part="name"] { font-weight: 650; }
tfoot [part~="own"] > * { border-top: 3px double var(--_line); }

[part="message"] { padding: 2.5em 1em; text-align: center; color: var(--_muted); border-top: 1px solid var(--_line); }
[part="total"] { padding: .6em .88em; color: var(--_muted); font-size: .85em; border-top: 1px solid var(--_line); }
[part="total"]:empty { display: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@container (max-width: 24em) {
  th, td { padding-inline: .4em; }
  thead th { padding-inline: .5em; }
  [part~="rank"] { width: 3.2em; }
  thead [part~="rank"] { width: 4em; }
  [part~="score"] { width: 32%; }
  [part="move"] { display: none; }
}
@media (forced-colors: active) { [part="dot"] { border: 1px solid CanvasText; } }
`);
