/** Texts for a part that becomes a file: its name, its links, and the link to it. */

const FENCE = /^ {0,3}(```+|~~~+)([^\n]*)\n?([\s\S]*?)(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm;

/** The first heading; `null`: there is none. A comment in code is not a heading. */
export function headed(part: string): string | null {
    const heading = /^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*$/m.exec(part.replace(FENCE, ""));
    return heading?.[1]?.replace(/[[\]]/g, "") ?? null;
}

/**
 * The beginning of a part without a heading: its first words, without the marks of lists, tables and links; of nothing but code, the code's
 * language.
 */
function begins(part: string): string {
    const [, , language = ""] = [...part.matchAll(FENCE)][0] ?? [];
    const prose = part
        .replace(FENCE, "")
        .replace(/^\s*(?:>\s*)*(?:[-*+]|\d+[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/gm, "")
        .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
        .replace(/<!--[\s\S]*?-->|https?:\/\/\S+/g, "");
    const words = prose.match(/[\p{L}\p{N}][\p{L}\p{N}'’._-]*/gu) ?? [];
    return words.length > 0 ? words.slice(0, 4).join(" ") : (/[\p{L}\p{N}]+/u.exec(language)?.[0] ?? "");
}

/** A path below `references/` that no file of the skill has. */
export function suggested(part: string, taken: readonly string[]): string {
    const words = headed(part) ?? begins(part);
    const slug =
        words
            .toLowerCase()
            .replace(/[^\p{L}\p{N}]+/gu, "-")
            .replace(/^-+|-+$/g, "")
            .slice(0, 48)
            .replace(/-+$/, "") || "notes";
    for (let n = 1; ; n++) {
        const name = `references/${slug}${n === 1 ? "" : `-${n}`}.md`;
        if (!taken.includes(name)) {
            return name;
        }
    }
}

/** A link from one file of a skill to another. */
export function linkTo(title: string, from: string, to: string): string {
    return `[${title}](${encoded(relative(folderOf(from), to))})`;
}

/** The same links out of another folder. Addresses, and paths in prose, which count from the skill, stay as they are. */
export function movedLinks(text: string, from: string, to: string): string {
    if (folderOf(from) === folderOf(to)) {
        return text;
    }
    const target = (path: string): string => {
        const [, bare = "", rest = ""] = /^([^#?]*)(.*)$/.exec(path) ?? [];
        if (bare === "" || /^([a-z][a-z0-9+.-]*:|[/\\~<])/i.test(bare)) {
            return path;
        }
        const whole = resolved(folderOf(from), bare);
        return whole === null ? path : relative(folderOf(to), whole) + rest;
    };
    return text
        .split(/(^(?:```|~~~)[\s\S]*?^(?:```|~~~)[ \t]*$|`[^`\n]*`)/m)
        .map((piece, at) =>
            at % 2 === 1
                ? piece
                : piece
                      .replace(/(\]\()([^)\s]+)/g, (_, open: string, path: string) => open + target(path))
                      .replace(/^( {0,3}\[[^\]]+\]:[ \t]*)(\S+)/gm, (_, open: string, path: string) => open + target(path)),
        )
        .join("");
}

function folderOf(name: string): string {
    return name.includes("/") ? name.replace(/\/[^/]*$/, "") : "";
}

/** `null`: it leads out of the skill. */
function resolved(folder: string, path: string): string | null {
    const parts = folder === "" ? [] : folder.split("/");
    for (const part of path.split("/")) {
        if (part === "..") {
            if (parts.pop() === undefined) {
                return null;
            }
        } else if (part !== "." && part !== "") {
            parts.push(part);
        }
    }
    return parts.join("/");
}

function relative(folder: string, path: string): string {
    const folders = folder === "" ? [] : folder.split("/");
    const parts = path.split("/");
    const same = folders.findIndex((part, at) => parts[at] !== part || at >= parts.length - 1);
    const shared = same < 0 ? folders.length : same;
    return [...folders.slice(shared).map(() => ".."), ...parts.slice(shared)].join("/");
}

function encoded(path: string): string {
    return path.replace(/[ ()%]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}
