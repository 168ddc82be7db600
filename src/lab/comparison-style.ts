/** Additional to the style of all pages. The Content-Security-Policy contains its hash, which a test checks. */
const STYLE = `
.chart { display: block; width: 100%; max-width: 760px; height: auto; }
.chart text { fill: var(--ink); font-size: 12px; }
.chart .tick { fill: var(--quiet); }
.chart .end { text-anchor: end; }
.chart .middle { text-anchor: middle; }
.axis { stroke: var(--line); stroke-width: 1; }
.point { fill: var(--blocked); }
.point.front { fill: var(--good); }
.stairs { fill: none; stroke: var(--good); stroke-width: 1.5; stroke-dasharray: 4 3; }
tr.front td:first-child { color: var(--good); font-weight: 600; }
.runs td { white-space: nowrap; }
.scroll { margin-bottom: 16px; }
pre { margin: 8px 0; padding: 12px; overflow-x: auto; background: var(--shade); border-radius: 6px; font-family: ui-monospace, monospace; font-size: 13px; }
`;

export const COMPARISON_SHEET = { text: STYLE, hash: 'sha256-ViIQHf63ebEdulZR0f/9nheVB/WAc1gAQ5u38FDgEJo=' };
