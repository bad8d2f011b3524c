/** The comment that ignores a finding, in the language of its place. */
import type { TextRange } from "../generated/api";
import type { Change } from "./edits";

const MARK = "lint-ignore";
const HASH = { open: "# ", close: "" };
const SLASHES = { open: "// ", close: "" };
const DASHES = { open: "-- ", close: "" };
const MARKUP = { open: "<!-- ", close: " -->" };
const STARS = { open: "/* ", close: " */" };
type Comment = typeof HASH;

const BY_ENDING: Readonly<Record<string, Comment>> = {
    ...of(
        HASH,
        "py",
        "pyi",
        "sh",
        "bash",
        "zsh",
        "fish",
        "rb",
        "pl",
        "r",
        "ps1",
        "yaml",
        "yml",
        "toml",
        "mk",
        "cfg",
        "conf",
        "tf",
        "python",
        "shell",
        "console",
        "ruby",
        "makefile",
        "dockerfile",
    ),
    ...of(
        SLASHES,
        "js",
        "mjs",
        "cjs",
        "jsx",
        "ts",
        "tsx",
        "mts",
        "cts",
        "go",
        "rs",
        "java",
        "kt",
        "swift",
        "c",
        "h",
        "cpp",
        "hpp",
        "cs",
        "php",
        "scala",
        "dart",
        "javascript",
        "typescript",
        "rust",
    ),
    ...of(DASHES, "lua", "sql", "hs"),
    ...of(MARKUP, "md", "markdown", "html", "htm", "xml", "svg", "vue"),
    ...of(STARS, "css", "scss"),
};

/** Whether files of this name can hold a comment. */
export function hasComments(name: string): boolean {
    return BY_ENDING[endingOf(name)] !== undefined;
}

/** `null`: there is no comment in such a file. `range`: that of the finding; `null`: it is about the whole file. */
export function ignoring(name: string, text: string, range: Pick<TextRange, "from"> | null, rule: string, reason: string): Change | null {
    const said = reason.replace(/\s+/g, " ").replaceAll("-->", "→").replaceAll("*/", "* /").trim();
    const comment = BY_ENDING[endingOf(name)];
    if (!comment) {
        return null;
    }
    const write = (at: number, style: Comment, mark: string): Change => {
        const indent = /^[ \t]*/.exec(text.slice(at))?.[0] ?? "";
        return { from: at, to: at, insert: `${indent}${style.open}${mark} ${rule}: ${said}${style.close}\n` };
    };
    const front = comment === MARKUP ? frontmatter(text) : null;
    const line = range === null ? null : lineAt(text, range.from);
    const top = (): Change => {
        const start = front?.from ?? (text.startsWith("#!") ? after(text, 0) : 0);
        return write(start, front ? HASH : comment, `${MARK}-file`);
    };
    if (line === null || (line === 0 && (front !== null || text.startsWith("#!")))) {
        return top();
    }
    if (front !== null && line < front.to) {
        // A comment within a value of many lines would be part of the value.
        return /^[\w"'-]/.test(text.slice(line)) ? write(line, HASH, MARK) : top();
    }
    if (comment !== MARKUP) {
        return write(line, comment, MARK);
    }
    const fence = fenceAround(text, line);
    if (fence !== null) {
        const inside = BY_ENDING[fence.language];
        return inside && inside !== MARKUP ? write(line, inside, MARK) : top();
    }
    // Between two rows a comment would end the table.
    return /^\s*\|/.test(text.slice(line)) && /(^|\n)\s*\|[^\n]*\n$/.test(text.slice(0, line)) ? top() : write(line, MARKUP, MARK);
}

function of(comment: Comment, ...endings: string[]): Record<string, Comment> {
    return Object.fromEntries(endings.map((ending) => [ending, comment]));
}

function endingOf(name: string): string {
    return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}

/** Where its first line and its end fence start. */
function frontmatter(text: string): { from: number; to: number } | null {
    const match = /^---[ \t]*\n(?:[\s\S]*?\n)?(?=---[ \t]*(?:\n|$))/.exec(text);
    return match ? { from: after(text, 0), to: match[0].length } : null;
}

/** The code block that this line is in, between its fences. */
function fenceAround(text: string, line: number): { language: string } | null {
    let open: { mark: string; language: string } | null = null;
    for (const before of text.slice(0, line).split("\n")) {
        const [, mark = "", info = ""] = /^\s*(`{3,}|~{3,})\s*(\S*)/.exec(before) ?? [];
        if (mark === "") {
            continue;
        }
        if (open === null) {
            open = { mark, language: info.toLowerCase() };
        } else if (mark.startsWith(open.mark) && info === "") {
            open = null;
        }
    }
    return open;
}

function lineAt(text: string, at: number): number {
    return text.lastIndexOf("\n", at - 1) + 1;
}

/** Where the line after this place starts. */
function after(text: string, at: number): number {
    const end = text.indexOf("\n", at);
    return end < 0 ? text.length : end + 1;
}
