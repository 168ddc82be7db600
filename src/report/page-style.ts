/** A change of one letter changes its hash: the test of a page says so. */
const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #172b4d; --quiet: #505f79; --line: #dfe1e6; --shade: #f4f5f7; --good: #006644; --blocked: #97a0af;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161a1d; --ink: #dee4ea; --quiet: #9fadbc; --line: #38414a; --shade: #1d2125; --good: #4bce97; --blocked: #596773;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1280px; padding: 24px; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
h1 { margin: 4px 0; font-size: 44px; line-height: 1.15; font-variant-numeric: tabular-nums; }
h2 { margin: 32px 0 8px; font-size: 20px; }
.lead { margin: 0 0 16px; font-size: 20px; }
.quiet { color: var(--quiet); }
figure { margin: 0; min-width: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
`;

/** What all pages without the dashboard's views wear. */
export const STYLE_SHEET = { text: STYLE, hash: 'sha256-BeMekAYzFXxRcMGuQofdxX7UXkxk/J+MEiBx6H+I8XQ=' };
