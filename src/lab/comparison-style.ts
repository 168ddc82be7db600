/** Beside the style of all pages. A change of one letter changes its hash: the test of the page says the new one. */
const COMPARISON_STYLE = `
:root {
  --s0: #505f79; --s1: #c9372c; --s2: #b65c02; --s3: #0c66e4; --s4: #1f845a; --s5: #8270db; --s6: #227d9b; --s7: #ae4787;
}
@media (prefers-color-scheme: dark) {
  :root {
    --s0: #9fadbc; --s1: #f87168; --s2: #fea362; --s3: #579dff; --s4: #4bce97; --s5: #9f8fef; --s6: #6cc3e0; --s7: #e774bb;
  }
}
.s0 { --of: var(--s0); } .s1 { --of: var(--s1); } .s2 { --of: var(--s2); } .s3 { --of: var(--s3); }
.s4 { --of: var(--s4); } .s5 { --of: var(--s5); } .s6 { --of: var(--s6); } .s7 { --of: var(--s7); }
.chart { display: block; width: 100%; height: auto; }
.chart text { fill: var(--ink); font-size: 12px; }
.chart .tick { fill: var(--quiet); }
.chart .end { text-anchor: end; }
.chart .middle { text-anchor: middle; }
.axis { stroke: var(--line); stroke-width: 1; }
.point { fill: var(--blocked); }
.point.front { fill: var(--good); }
.stairs { fill: none; stroke: var(--good); stroke-width: 1.5; stroke-dasharray: 4 3; }
.series { fill: none; stroke: var(--of); stroke-width: 1.75; stroke-linejoin: round; }
tr.front td:first-child { color: var(--good); font-weight: 600; }
.runs td { white-space: nowrap; }
.scroll, .legend, .sides { margin-bottom: 16px; }
pre { margin: 8px 0; padding: 12px; overflow-x: auto; background: var(--shade); border-radius: 4px; font-size: 13px; }
`;

export const COMPARISON_SHEET = { text: COMPARISON_STYLE, hash: 'sha256-fTEA1fqG6tmcJ2YG9ApyoNQiwbly6BO9YoXzpBcQJlY=' };
