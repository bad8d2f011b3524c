import { CODE_FACE } from "./preview-face";

/** As `--font-mono` has it, for a frame without the window's tokens. */
const CODE = `"${CODE_FACE}", "Sarasa Mono SC", "Noto Sans Mono CJK SC", "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace`;

/** The preview's own style: the frame knows none of the window's tokens. The values are those of `tokens.css`. */
export const previewStyle = `
:root { color-scheme: light dark; background: light-dark(#ffffff, #16181d); color: light-dark(#14181f, #eceff3); }
body { max-width: 72ch; margin: 0 auto; padding: 16px 24px 48px; font: 14px/1.65 system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, h4, h5, h6 { margin: 1.4em 0 0.5em; line-height: 1.3; font-weight: 600; }
h1 { font-size: 22px; } h2 { font-size: 18px; } h3 { font-size: 15px; } h4, h5, h6 { font-size: 14px; }
h1:first-child, h2:first-child { margin-top: 0; }
p, ul, ol, blockquote, pre, table { margin: 0 0 0.9em; }
ul, ol { padding-left: 24px; } li { margin: 2px 0; }
a { color: light-dark(#1f5fc4, #86b2ff); text-decoration: underline; text-underline-offset: 2px; }
code, pre { font-family: ${CODE}; font-size: 12.5px; }
code { padding: 1px 4px; border-radius: 3px; background: light-dark(#eff1f4, #22262d); }
pre { padding: 10px 12px; overflow: auto; border-radius: 6px; background: light-dark(#f7f8fa, #1b1e24); border: 1px solid light-dark(#e4e7ec, #2b3038); line-height: 1.5; }
pre code { padding: 0; background: none; }
blockquote { margin-left: 0; padding-left: 12px; border-left: 3px solid light-dark(#d3d8df, #383e48); color: light-dark(#39414d, #cbd1da); }
table { display: block; overflow-x: auto; border-collapse: collapse; overflow-wrap: normal; } td code { white-space: nowrap; } th, td { min-width: 7em; padding: 4px 10px; border: 1px solid light-dark(#d3d8df, #383e48); text-align: start; }
th { background: light-dark(#f7f8fa, #1b1e24); font-weight: 600; }
hr { border: 0; border-top: 1px solid light-dark(#d3d8df, #383e48); margin: 1.5em 0; }
.mark { display: inline-block; unicode-bidi: isolate; direction: ltr; margin-inline: 1px; padding-inline: 3px; border-radius: 3px; background: light-dark(#fff3dc, #3a2d14); color: light-dark(#8a5300, #f2b84b); font-size: 0; line-height: 1.3; white-space: nowrap; }
.mark::before { content: attr(data-mark); font: 500 11px ${CODE}; }
img { max-width: 100%; }
::-webkit-scrollbar { width: 10px; height: 10px; }
::-webkit-scrollbar-track, ::-webkit-scrollbar-corner { background: light-dark(#ffffff, #16181d); }
::-webkit-scrollbar-thumb { background: light-dark(#d3d8df, #383e48); border: 2px solid light-dark(#ffffff, #16181d); border-radius: 6px; }
`;
