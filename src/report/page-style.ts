/** A change of one letter changes its hash: the test of the page says the new one. */
const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #172b4d; --quiet: #505f79; --line: #dfe1e6; --shade: #f4f5f7;
  --good: #006644; --delete: #c9372c; --replace: #b65c02; --new: #1f845a; --moves: #0c66e4;
  --keep: #b8acf6; --blocked: #97a0af; --protected: #c1c7d0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161a1d; --ink: #dee4ea; --quiet: #9fadbc; --line: #38414a; --shade: #1d2125;
    --good: #4bce97; --delete: #f87168; --replace: #fea362; --new: #4bce97; --moves: #579dff;
    --keep: #6e5dc6; --blocked: #596773; --protected: #38414a;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1280px; padding: 24px; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
h1 { margin: 4px 0; font-size: 44px; line-height: 1.15; font-variant-numeric: tabular-nums; }
h2 { margin: 32px 0 8px; font-size: 20px; }
h3 { margin: 16px 0 4px; font-size: 15px; }
.lead { margin: 0 0 16px; font-size: 20px; }
.quiet, .consequence { color: var(--quiet); }
.good { color: var(--good); }
.bar { display: block; width: 100%; height: 12px; }
.bar .planned { fill: var(--blocked); }
.bar .saved { fill: var(--good); }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 32px; }
@media (max-width: 800px) { .sides { grid-template-columns: 1fr; } }
figure { margin: 0; min-width: 0; }
figcaption { margin-bottom: 8px; font-size: 17px; font-weight: 600; }
.packing { display: block; width: 100%; height: auto; }
.caption { fill: var(--quiet); font-size: 12px; }
.delete { --of: var(--delete); } .replace { --of: var(--replace); } .new { --of: var(--new); }
.keep { --of: var(--keep); } .blocked { --of: var(--blocked); } .protected { --of: var(--protected); }
.glass { fill: var(--shade); stroke: var(--of); stroke-width: 1; }
.delete .glass, .replace .glass, .new .glass { stroke-width: 2; }
.gone .glass { fill: none; stroke-width: 1.5; stroke-dasharray: 3 3; }
.pod { fill: var(--of); pointer-events: none; }
rect.pod, rect.moves { pointer-events: auto; }
.moves { fill: var(--moves); }
path.moves { pointer-events: none; }
[data-row] { cursor: pointer; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0; padding: 0; list-style: none; }
.dot { display: inline-block; width: 11px; height: 11px; margin-right: 6px; border-radius: 2px; background: var(--of); }
.dot.moves { background: var(--moves); }
details { margin: 8px 0; border: 1px solid var(--line); border-left: 4px solid var(--of); border-radius: 4px; padding: 8px 12px; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.consequence { display: block; }
details p { overflow-wrap: anywhere; }
.controls { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; }
input, select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: 4px; padding: 4px 8px; }
input { width: 260px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th button { all: unset; cursor: pointer; font-weight: 600; white-space: nowrap; }
th button:focus-visible { outline: 2px solid var(--moves); }
th[aria-sort="ascending"] button::after { content: " ▲"; }
th[aria-sort="descending"] button::after { content: " ▼"; }
td ul { margin: 0; padding-left: 16px; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
#nodes td:nth-child(-n+8) { white-space: nowrap; }
.here { outline: 2px solid var(--moves); }
`;

/** What all pages wear. */
export const STYLE_SHEET = { text: STYLE, hash: 'sha256-bdzEqpx1Syt7ElNjCiS4z2D9MsZYfsAiPRR2c6VNsno=' };
