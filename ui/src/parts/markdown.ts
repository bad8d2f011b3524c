/**
 * A model's text, parsed as Markdown. It never becomes HTML: views draw these values as separate elements, and everything but plain markup
 * (HTML, addresses, definitions) stays visible as text.
 */
import type { SyntaxNode } from "@lezer/common";
import { GFM, parser } from "@lezer/markdown";

export type Inline =
    | { type: "text"; text: string }
    | { type: "code"; text: string }
    | { type: "strong"; inside: Inline[] }
    | { type: "emphasis"; inside: Inline[] }
    | { type: "deleted"; inside: Inline[] }
    /** `address`: `null` if it is the same as the text inside. */
    | { type: "link"; inside: Inline[]; address: string | null }
    | { type: "image"; text: string; address: string }
    | { type: "break" };

export type Item = { done: boolean | null; blocks: Block[] };
export type Align = "start" | "center" | "end";

/** `source`: the text that it was made of; it identifies the block. */
export type Block = { source: string } & (
    | { type: "paragraph"; inside: Inline[] }
    /** `level`: from 1, without gaps in the text. */
    | { type: "heading"; level: number; inside: Inline[] }
    /** As it is. */
    | { type: "code"; text: string; language: string }
    | { type: "quote"; blocks: Block[] }
    | { type: "list"; first: number | null; items: Item[] }
    | { type: "table"; aligns: Align[]; head: Inline[][]; rows: Inline[][][] }
    | { type: "rule" }
);

const markdown = parser.configure(GFM);

/** Deeper than anybody writes; deeper markup is shown as text. */
const DEEPEST = 16;
/** UTF-16 units of a text that is taken apart; a longer one is shown as it is. */
const MOST = 100_000;

/** `before`: the blocks of the text as it was a moment ago, of which those that are the same are kept. */
export function blocks(text: string, before: readonly Block[] = []): Block[] {
    if (text.length > MOST) {
        return [{ type: "paragraph", source: text, inside: [{ type: "text", text }] }];
    }
    const made = nodes(markdown.parse(text).topNode).map((node, at): Block => {
        const known = before[at];
        return known?.source === text.slice(node.from, node.to) && known.type !== "heading" ? known : block(text, node, 0);
    });
    const levels = [...new Set(made.flatMap((each) => (each.type === "heading" ? [each.level] : [])))].sort((a, b) => a - b);
    return made.map((each, at) => {
        if (each.type !== "heading") {
            return each;
        }
        const level = levels.indexOf(each.level) + 1;
        const known = before[at];
        return known?.type === "heading" && known.source === each.source && known.level === level ? known : { ...each, level };
    });
}

function block(text: string, node: SyntaxNode, depth: number): Block {
    const source = text.slice(node.from, node.to);
    const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name);
    if (depth > DEEPEST) {
        return { type: "paragraph", source, inside: [{ type: "text", text: source }] };
    }
    if (heading !== null) {
        return { type: "heading", source, level: Number(heading[1]), inside: trimmed(inlines(text, node, depth)) };
    }
    switch (node.name) {
        case "FencedCode":
        case "CodeBlock":
            return {
                type: "code",
                source,
                text: node.getChildren("CodeText").reduce((whole, part) => whole + text.slice(part.from, part.to), ""),
                language: textOf(text, node.getChild("CodeInfo")),
            };
        case "Blockquote":
            return { type: "quote", source, blocks: within(text, node, depth) };
        case "BulletList":
        case "OrderedList":
            return {
                type: "list",
                source,
                first: node.name === "BulletList" ? null : firstOf(text, node),
                items: items(text, node, depth),
            };
        case "Table": {
            const head = node.getChild("TableHeader");
            const rows = node.getChildren("TableRow").map((row) => cells(text, row, depth));
            return { type: "table", source, aligns: aligns(text, node), head: head === null ? [] : cells(text, head, depth), rows };
        }
        case "HorizontalRule":
            return { type: "rule", source };
        case "Paragraph":
            return { type: "paragraph", source, inside: trimmed(inlines(text, node, depth)) };
        default:
            // HTML, and definitions of links: what the model wrote is seen.
            return { type: "paragraph", source, inside: [{ type: "text", text: source }] };
    }
}

function within(text: string, node: SyntaxNode, depth: number): Block[] {
    return nodes(node)
        .filter(({ name }) => !name.endsWith("Mark"))
        .map((inner) => block(text, inner, depth + 1));
}

function items(text: string, list: SyntaxNode, depth: number): Item[] {
    return list.getChildren("ListItem").map((item) => {
        const task = item.getChild("Task");
        const marker = task?.getChild("TaskMarker") ?? null;
        const done = marker === null ? null : textOf(text, marker).toLowerCase() === "[x]";
        const made = nodes(item)
            .filter(({ name }) => !name.endsWith("Mark"))
            .map((inner): Block => {
                if (inner.name !== "Task") {
                    return block(text, inner, depth + 1);
                }
                const source = text.slice(inner.from, inner.to);
                return { type: "paragraph", source, inside: trimmed(inlines(text, inner, depth + 1)) };
            });
        return { done, blocks: made };
    });
}

function firstOf(text: string, list: SyntaxNode): number {
    const mark = list.getChild("ListItem")?.getChild("ListMark") ?? null;
    return Number.parseInt(textOf(text, mark), 10) || 0;
}

/** An empty cell has no node, so the bars between cells count. */
function cells(text: string, row: SyntaxNode, depth: number): Inline[][] {
    const made: Inline[][] = [];
    let isOpen = false;
    nodes(row).forEach((node, at) => {
        if (node.name === "TableCell") {
            made.push(trimmed(inlines(text, node, depth)));
            isOpen = true;
        } else {
            if (!isOpen && at > 0) {
                made.push([]);
            }
            isOpen = false;
        }
    });
    return made;
}

function aligns(text: string, table: SyntaxNode): Align[] {
    return textOf(text, table.getChild("TableDelimiter"))
        .replace(/^\s*\||\|\s*$/g, "")
        .split("|")
        .map((cell) => {
            const [start, end] = [cell.trim().startsWith(":"), cell.trim().endsWith(":")];
            return end ? (start ? "center" : "end") : "start";
        });
}

/** The contents of a node, without its marks. */
function inlines(text: string, node: SyntaxNode, depth: number): Inline[] {
    const made: Inline[] = [];
    let at = node.from;
    /** After the mark of a quote, which is followed by a separate space. */
    let quoted = false;
    const plain = (to: number): void => {
        const between = text.slice(at, to).replace(/\n[ \t]+/g, "\n");
        put(made, quoted ? between.trimStart() : between);
    };
    for (const inner of nodes(node)) {
        plain(inner.from);
        at = inner.to;
        quoted = inner.name === "QuoteMark";
        if (!SILENT.has(inner.name)) {
            inline(text, inner, depth).forEach((each) => (each.type === "text" ? put(made, each.text) : made.push(each)));
        }
    }
    plain(node.to);
    return made;
}

/** Marks that the element around them replaces. */
const SILENT = new Set(["HeaderMark", "QuoteMark", "EmphasisMark", "StrikethroughMark", "TaskMarker", "LinkMark", "TableDelimiter"]);

function inline(text: string, node: SyntaxNode, depth: number): Inline[] {
    const as = text.slice(node.from, node.to);
    if (depth > DEEPEST) {
        return [{ type: "text", text: as }];
    }
    switch (node.name) {
        case "StrongEmphasis":
            return [{ type: "strong", inside: inlines(text, node, depth + 1) }];
        case "Emphasis":
            return [{ type: "emphasis", inside: inlines(text, node, depth + 1) }];
        case "Strikethrough":
            return [{ type: "deleted", inside: inlines(text, node, depth + 1) }];
        case "InlineCode": {
            const [open, close] = [node.firstChild, node.lastChild];
            const code = text.slice(open?.to ?? node.from, close?.from ?? node.to).replaceAll("\n", " ");
            return [{ type: "code", text: /^ .*[^ ].* $/s.test(code) ? code.slice(1, -1) : code }];
        }
        case "HardBreak":
            return [{ type: "break" }];
        case "Escape":
            return [{ type: "text", text: as.slice(1) }];
        case "Entity":
            return [{ type: "text", text: entity(as) }];
        case "Autolink":
            return [{ type: "link", inside: [{ type: "text", text: as.slice(1, -1) }], address: null }];
        case "URL":
            return [{ type: "link", inside: [{ type: "text", text: as }], address: null }];
        case "Link":
        case "Image":
            return link(text, node, depth);
        default:
            return [{ type: "text", text: as }];
    }
}

/** A link by reference stays text: its target is elsewhere. */
function link(text: string, node: SyntaxNode, depth: number): Inline[] {
    const url = node.getChild("URL");
    const [open, close] = node.getChildren("LinkMark");
    if (url === null || open === undefined || close === undefined) {
        return [{ type: "text", text: text.slice(node.from, node.to) }];
    }
    const address = [url, node.getChild("LinkTitle")]
        .map((part) => textOf(text, part))
        .join(" ")
        .trim();
    const said = text.slice(open.to, close.from);
    if (node.name === "Image") {
        return [{ type: "image", text: said, address }];
    }
    const inside: Inline[] = [];
    let at = open.to;
    for (const inner of nodes(node).filter(({ from, to }) => from >= open.to && to <= close.from)) {
        put(inside, text.slice(at, inner.from));
        inside.push(...inline(text, inner, depth + 1));
        at = inner.to;
    }
    put(inside, text.slice(at, close.from));
    return [{ type: "link", inside, address: said === address ? null : address }];
}

const known = new Map<string, string>();

/** `&amp;` as a reader sees it. Nothing is loaded or run for it. */
function entity(written: string): string {
    const before = known.get(written);
    if (before !== undefined) {
        return before;
    }
    const read = new DOMParser().parseFromString(written, "text/html").documentElement.textContent;
    known.set(written, read);
    return read;
}

function put(made: Inline[], text: string): void {
    const last = made.at(-1);
    if (text === "") {
        return;
    }
    if (last?.type === "text") {
        last.text += text;
    } else {
        made.push({ type: "text", text });
    }
}

/** Without space at both ends, as between a heading's marks and its words. */
function trimmed(made: Inline[]): Inline[] {
    const [first, last] = [made[0], made.at(-1)];
    if (first?.type === "text") {
        first.text = first.text.trimStart();
    }
    if (last?.type === "text") {
        last.text = last.text.trimEnd();
    }
    return made.filter((each) => each.type !== "text" || each.text !== "");
}

function nodes(of: SyntaxNode): SyntaxNode[] {
    const made: SyntaxNode[] = [];
    for (let node = of.firstChild; node !== null; node = node.nextSibling) {
        made.push(node);
    }
    return made;
}

function textOf(text: string, node: SyntaxNode | null): string {
    return node === null ? "" : text.slice(node.from, node.to);
}
